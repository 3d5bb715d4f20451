import { existsSync } from 'node:fs';
import { chmod, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diagnosticTable } from '#shared/lens/diagnostics.ts';
import { applyEdits } from '#shared/lens/edit/text-lines.ts';
import { corpusFolder } from '#engine/resolve/testing/resolve-rig.ts';
import { asOrdinaryUser } from '../../../testing/as-ordinary-user.ts';
import { CliRig } from '../testing/cli-rig.ts';
import type { ValidateDocument } from '../validate/to-json.ts';

const head = 'metadata: { name: A, version: 1.0.0 }\n';
const skill = (name: string, more = ''): string =>
  `  - { name: ${name}, description: d, instructions: i${more} }\n`;

/** The document of a run, with each diagnostic as one line. */
function shape(stdout: string): unknown {
  const { files, ...counts } = JSON.parse(stdout) as ValidateDocument;
  const lines = files.map(({ file, kind, diagnostics }) => [
    `${kind} ${file}`,
    ...diagnostics.map(({ line, column, severity, code }) => `${line}:${column} ${severity} ${code}`),
  ]);
  return { files: lines, ...counts };
}

describe('sunwell validate', () => {
  test('prints each problem with its place and the way out, then a summary, and exits with 1', async () => {
    await using rig = await CliRig.make({
      'work/a.lens': `${head}skills:\n${skill('x', ', depends_on: gone, produces: [k]')}${skill('y')}`,
    });
    expect(await rig.run(['validate', 'a.lens'])).toEqual({
      exitCode: 1,
      stdout: [
        'a.lens:3:5 info graph.orphan Skill "x" stands alone among 2 skills',
        'a.lens:3:61 error graph.missing-dependency Skill "x" depends on "gone", which does not exist',
        '    Choose one of the candidates, add the skill, or remove the dependency.',
        'a.lens:3:78 info graph.unused-produces No skill requires "k", which "x" produces',
        'a.lens:4:5 info graph.orphan Skill "y" stands alone among 2 skills',
        '1 error, 3 notes in 1 file',
        '',
      ].join('\n'),
      stderr: '',
    });
  });

  test('calls nothing fine that it could not look at', async () => {
    await using rig = await CliRig.make({ 'work/a.lens': head, 'work/locked/b.lens': 'broken: [' });
    const locked = join(rig.folder, 'work/locked');
    await chmod(locked, 0);
    const refused = await asOrdinaryUser(rig.folder, () => rig.run(['validate', '.']));
    await chmod(locked, 0o700);
    expect([refused.exitCode, refused.stderr]).toEqual([
      2,
      expect.stringContaining(`Cannot look through "${locked}"`),
    ]);
  });

  test('underlines the place on a terminal, without obeying the file', async () => {
    await using rig = await CliRig.make({
      'work/a.lens': `${head}skills:\n${skill('x', ', depends_on: "\u001b[31mgone"')}`,
    });
    rig.actAsTerminal();
    const { stdout } = await rig.run(['validate', 'a.lens', '--no-color']);
    expect(stdout.split('\n').slice(0, 3)).toEqual([
      'a.lens:3:61 error reference.malformed Cannot read dependency "gone": control characters are not allowed',
      expect.stringMatching(/^ {6}- \{ name: x, .* depends_on: "\uFFFD\[31mgone" \}$/),
      `${' '.repeat(64)}${'^'.repeat(11)}`,
    ]);
  });

  test('--format json is the documented document, with the first quick fix', async () => {
    const text = `${head}skils: []\nskills:\n${skill('x', ', depends_on: raed')}${skill('read')}`;
    await using rig = await CliRig.make({ 'work/a.lens': text });
    const ran = await rig.run(['validate', 'a.lens', '--format', 'json']);
    const { files, ...counts } = JSON.parse(ran.stdout) as ValidateDocument;
    const { fix, ...missing } = files[0]!.diagnostics.find(
      ({ code }) => code === 'graph.missing-dependency',
    )!;
    expect([ran.exitCode, counts, files.map(({ file, kind }) => [file, kind]), missing]).toEqual([
      1,
      { errors: 1, warnings: 0 },
      [['a.lens', 'lens']],
      {
        code: 'graph.missing-dependency',
        severity: 'error',
        message: 'Skill "x" depends on "raed", which does not exist: did you mean "read"?',
        line: 4,
        column: 61,
        endLine: 4,
        endColumn: 65,
      },
    ]);
    expect([fix?.edits.map(({ file }) => file), applyEdits(text, fix?.edits ?? [])]).toEqual([
      ['a.lens'],
      text.replace('raed', 'read'),
    ]);
    expect(await rig.run(['validate', 'a.lens', '--json'])).toEqual(ran);
  });

  test('knows every kind of file by its name or content, and reports each in its own words', async () => {
    await using rig = await CliRig.make({
      'work/lenses/a.lens': 'metadata: { name: A }\n',
      'work/bare.yaml': head,
      'work/team.skills.yaml': 'skills: [{ name: Bad_Name, description: d, instructions: i }]\n',
      'work/more.yaml': 'presets: {}\n',
      'work/skills/notes/SKILL.md': '---\nname: No Good\n---\nText\n',
      'work/plain/SKILL.md': '# No frontmatter\n',
      'work/tests/fixtures.yaml': '- { name: f }\n',
      'work/config.yaml': 'default_model: gone\n',
      'work/sunwell.lock': 'version: 1\nfounts: { "fount://a@^1": { version: x } }\n',
    });
    const files = ['lenses/a.lens', 'bare.yaml', 'team.skills.yaml', 'more.yaml'];
    const others = ['skills/notes/SKILL.md', 'plain/SKILL.md', 'tests/fixtures.yaml', 'config.yaml'];
    const ran = await rig.run(['validate', '--schema', 'v2', ...files, ...others, 'sunwell.lock', '--json']);
    expect([ran.exitCode, shape(ran.stdout)]).toEqual([
      1,
      {
        files: [
          ['lens lenses/a.lens', '1:1 error lens.missing-version'],
          ['lens bare.yaml'],
          ['library team.skills.yaml', '1:18 error skill.bad-name'],
          ['library more.yaml'],
          [
            'agent-skill skills/notes/SKILL.md',
            '1:1 error agent-skill.missing-description',
            '2:7 error agent-skill.bad-name',
            '2:7 error agent-skill.bad-name',
            '2:7 error agent-skill.directory-mismatch',
          ],
          ['agent-skill plain/SKILL.md', '1:1 error agent-skill.no-frontmatter'],
          ['fixtures tests/fixtures.yaml', '1:11 warning fixture.no-expectation'],
          ['config config.yaml', '1:16 error config.unknown-model'],
          ['lock sunwell.lock', '2:11 error lock.bad-entry'],
        ],
        errors: 9,
        warnings: 1,
      },
    ]);
  });

  test('lists problems of other files under those files, each file and problem once', async () => {
    await using rig = await CliRig.make({
      'work/a.lens': `${head}extends: ./parent.lens\nskill_sources: [./lib.skills.yaml]\nskills:\n${skill('x', ', depends_on: y')}`,
      'work/b.lens': `${head}extends: ./parent.lens\n`,
      'work/parent.lens': 'metadata: { name: P }\nfoo: 1\n',
      'work/lib.skills.yaml': `skills:\n${skill('y', ', requires: [k], produces: [z]')}`,
    });
    const expected = [
      ['lens a.lens'],
      ['lens b.lens'],
      ['library lib.skills.yaml', '2:60 error graph.unsatisfied-requires'],
      ['lens parent.lens', '1:1 error lens.missing-version'],
    ];
    const ran = await rig.run(['validate', 'a.lens', 'b.lens', './a.lens', '--json']);
    expect(shape(ran.stdout)).toEqual({ files: expected, errors: 2, warnings: 0 });
  });

  test('a key of a library is judged by the lens that uses it, where one is validated with it', async () => {
    const lens = (inputs: string): string =>
      `${head}inputs: { ${inputs} }\nskills: [{ include: lib.skills.yaml }]\n`;
    await using rig = await CliRig.make({
      'work/a.lens': lens('k: {}'),
      'work/b.lens': lens(''),
      'work/lib.skills.yaml': `skills:\n${skill('y', ', requires: [k]')}`,
    });
    const errors = async (...files: string[]): Promise<number> =>
      (JSON.parse((await rig.run(['validate', '--json', ...files])).stdout) as ValidateDocument).errors;
    expect([
      await errors('lib.skills.yaml'),
      await errors('lib.skills.yaml', 'a.lens'),
      await errors('lib.skills.yaml', 'a.lens', 'b.lens'),
    ]).toEqual([1, 0, 1]);
  });

  test('libraries named together report a name that two of them define', async () => {
    await using rig = await CliRig.make({
      'work/one/a.skills.yaml': `skills:\n${skill('audit')}`,
      'work/two/b.skills.yaml': `skills:\n${skill('other')}${skill('audit')}`,
    });
    const { stdout } = await rig.run(['validate', 'two/b.skills.yaml', 'one/a.skills.yaml']);
    expect(stdout.split('\n').filter((line) => line.includes('duplicate'))).toEqual([
      'two/b.skills.yaml:3:5 warning graph.duplicate-skill Skill "audit" is also defined in "one/a.skills.yaml": ' +
        'write "./b.skills.yaml:audit" to mean this one',
    ]);
    expect((await rig.run(['validate', '.'])).stdout).not.toContain('duplicate');
  });

  test('takes folders and patterns, and leaves other people’s files alone', async () => {
    await using rig = await CliRig.make({
      'work/lenses/a.lens': head,
      'work/skills/lib.yaml': `skills:\n${skill('y')}`,
      'work/skills/other.yaml': 'openapi: 3.0.0\n',
      'work/.agents/skills/n/SKILL.md': '---\nname: n\ndescription: d\n---\n',
      'work/tests/fixtures.yaml': '[]\n',
      'work/config.yaml': 'title: My site\n',
      'work/node_modules/p/x.lens': 'broken: [\n',
    });
    const files = async (...words: string[]): Promise<unknown> =>
      (shape((await rig.run(['validate', '--json', ...words])).stdout) as { files: string[][] }).files.map(
        ([file]) => file,
      );
    expect(await files('.')).toEqual([
      'agent-skill .agents/skills/n/SKILL.md',
      'lens lenses/a.lens',
      'library skills/lib.yaml',
      'fixtures tests/fixtures.yaml',
    ]);
    expect(await files('**/*.lens', 'skills/l*.yaml')).toEqual([
      'lens lenses/a.lens',
      'library skills/lib.yaml',
    ]);
  });

  test('what cannot be read is told on standard error with exit code 2, and the rest is checked', async () => {
    await using rig = await CliRig.make({
      'work/a.lens': head,
      'work/notes.txt': 'hello',
      'work/empty/x.txt': '',
    });
    await rig.write({ 'work/large.lens': 'x'.repeat(1024 * 1024 + 1) });
    const words = ['gone.lens', 'large.lens', 'notes.txt', 'empty', '*.skills.yaml', 'a.lens'];
    expect(await rig.run(['validate', ...words])).toEqual({
      exitCode: 2,
      stdout: 'No problems in 1 file\n',
      stderr: [
        'Cannot read "gone.lens": there is no such file',
        'Cannot read "large.lens": it is larger than 1 MiB',
        'Cannot validate "notes.txt": it is no lens, library, SKILL.md, fixtures, config or lock file, ' +
          'name a lens that judges it with --with-lens',
        'Cannot find a lens, library or skill in "empty"',
        'Cannot find a lens, library or skill in "*.skills.yaml"',
        '',
      ].join('\n'),
    });
  });

  test.each([
    [['validate'], 'missing required argument "file"'],
    [
      ['validate', 'a', '--format', 'xml'],
      'option "--format <format>" argument "xml" is invalid. Allowed choices are text, json, sarif',
    ],
    [
      ['validate', 'a', '--judge-model', 'b'],
      '"--judge-model" is about judging: name a lens with --with-lens, or leave it out',
    ],
    [
      ['validate', 'a', '--with-lens', 'b', '--replay', 'c', '--model', 'd'],
      'option "--replay <file>" cannot be used with option "--model <name>"',
    ],
  ])('%j is refused', async (words, reason) => {
    await using rig = await CliRig.make();
    const ran = await rig.run(words);
    expect([ran.exitCode, ran.stderr]).toEqual([
      2,
      `Cannot read the command line: ${reason}, see "sunwell --help"\n`,
    ]);
  });
});

describe('sunwell validate --format sarif', () => {
  test('is SARIF 2.1.0: every rule of the table, results that name them, places, related places and fixes', async () => {
    const text = `${head}skills:\n${skill('x', ', depends_on: raed')}${skill('read', ', depends_on: read')}`;
    await using rig = await CliRig.make({ 'work/my lens.lens': text });
    const ran = await rig.run(['validate', 'my lens.lens', 'gone.lens', '--format', 'sarif']);
    const log = JSON.parse(ran.stdout) as Sarif;
    const [run] = log.runs;
    const { rules, ...driver } = run!.tool.driver;
    expect([ran.exitCode, log.version, log.$schema, log.runs.length, driver]).toEqual([
      2,
      '2.1.0',
      'https://json.schemastore.org/sarif-2.1.0.json',
      1,
      { name: 'Sunwell Studio', semanticVersion: '0.1.0' },
    ]);
    expect(rules.map(({ id }) => id)).toEqual(Object.keys(diagnosticTable));
    expect(rules.find(({ id }) => id === 'graph.cycle')).toEqual({
      id: 'graph.cycle',
      shortDescription: { text: diagnosticTable['graph.cycle'].explanation },
      help: { text: diagnosticTable['graph.cycle'].wayOut },
      defaultConfiguration: { level: 'error' },
    });
    expect(run!.results.map(({ ruleId, ruleIndex, level }) => [ruleId, rules[ruleIndex]!.id, level])).toEqual(
      run!.results.map(({ ruleId }) => [ruleId, ruleId, ruleId === 'graph.orphan' ? 'note' : 'error']),
    );
    expect(run!.results.find(({ ruleId }) => ruleId === 'graph.missing-dependency')).toEqual({
      ruleId: 'graph.missing-dependency',
      ruleIndex: expect.any(Number) as number,
      level: 'error',
      message: { text: 'Skill "x" depends on "raed", which does not exist: did you mean "read"?' },
      locations: [
        {
          physicalLocation: {
            artifactLocation: { uri: 'my%20lens.lens' },
            region: { startLine: 3, startColumn: 61, endLine: 3, endColumn: 65 },
          },
        },
      ],
      fixes: expect.any(Array) as unknown[],
    });
    const [fix] = run!.results.find(({ ruleId }) => ruleId === 'graph.missing-dependency')!.fixes!;
    const [change] = fix!.artifactChanges;
    const [{ deletedRegion, insertedContent }] = change!.replacements as [Replacement];
    const end = deletedRegion.charOffset + deletedRegion.charLength;
    expect([
      change!.artifactLocation,
      text.slice(0, deletedRegion.charOffset) + insertedContent.text + text.slice(end),
    ]).toEqual([{ uri: 'my%20lens.lens' }, text.replace('raed', 'read')]);
    expect(run!.invocations).toEqual([
      {
        executionSuccessful: false,
        toolExecutionNotifications: [
          {
            level: 'error',
            message: { text: 'Cannot read "gone.lens": there is no such file' },
            descriptor: { id: 'file.not-found' },
          },
        ],
      },
    ]);
  });
});

interface Sarif {
  readonly version: string;
  readonly $schema: string;
  readonly runs: readonly {
    readonly tool: { readonly driver: { readonly name: string; readonly rules: readonly { id: string }[] } };
    readonly invocations: unknown;
    readonly results: readonly {
      ruleId: string;
      ruleIndex: number;
      level: string;
      fixes?: { artifactChanges: { artifactLocation: unknown; replacements: Replacement[] }[] }[];
    }[];
  }[];
}

interface Replacement {
  readonly deletedRegion: { readonly charOffset: number; readonly charLength: number };
  readonly insertedContent: { readonly text: string };
}

const corpus = corpusFolder();
describe.skipIf(!existsSync(corpus))('sunwell validate on the corpus', () => {
  test('every file validates, and the skill files together report the one duplicate name', async () => {
    await using rig = await CliRig.make();
    const names = (await readdir(join(corpus, 'skills'))).map((name) => join(corpus, 'skills', name));
    const ran = await rig.run(['validate', '--json', join(corpus, 'lenses'), ...names]);
    const { files } = JSON.parse(ran.stdout) as ValidateDocument;
    const found = files
      .flatMap(({ diagnostics }) => diagnostics)
      .filter(({ severity }) => severity !== 'info');
    expect([files.length, ran.stderr, new Set(found.map(({ code }) => code))]).toEqual([
      41,
      '',
      new Set(['graph.unsatisfied-requires', 'graph.duplicate-skill']),
    ]);
    expect(
      found.filter(({ code }) => code === 'graph.duplicate-skill').map(({ message }) => message),
    ).toEqual([expect.stringContaining('"audit-documentation"')]);
  });
});
