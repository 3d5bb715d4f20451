import { execFileSync } from 'node:child_process';
import { lstat, open, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { GraphDocument } from '#shared/model/graph-document.ts';
import { LensDocument } from '#shared/model/lens-document.ts';
import { CliRig } from '../testing/cli-rig.ts';

const files = {
  'work/lenses/harbor.lens': [
    'lens:',
    '  metadata: { name: Harbor docs, version: 1.2.0, domain: docs, description: "Keeps\\npages true" }',
    '  extends: ./base.lens',
    '  heuristics:',
    '    - { name: One idea, rule: One idea a paragraph }',
    '  router: { shortcuts: { "::w": write } }',
    '  skills:',
    '    - { name: read, description: Reads, instructions: i, produces: [text] }',
    '    - { name: write, description: Writes, instructions: i, depends_on: read, requires: [text] }',
    '',
  ].join('\n'),
  'work/lenses/base.lens': [
    'metadata: { name: Base, version: 1.0.0 }',
    'heuristics:',
    '  - { name: One idea, rule: Old }',
    '  - { name: Show, rule: Show then tell }',
    'personas: [{ name: Newcomer, description: Knows nothing }]',
    'validators:',
    '  - { name: no-todo, not_contains: TODO }',
    '  - { name: kind, check: Is it kind? }',
    'workflows: [{ name: all, steps: [{ parallel: [{ skill: read }] }, { skill: write }] }]',
    'inputs: { topic: { description: What about } }',
    '',
  ].join('\n'),
  'work/skills/team.skills.yaml': 'skills: [{ name: a, description: d, instructions: i, depends_on: a }]\n',
};

describe('LENS', () => {
  test.each([
    [
      ['lens', 'show', 'harbor docz'],
      2,
      'Cannot find lens "harbor docz" in "WORK": did you mean "Harbor docs"?',
    ],
    [['lens', 'show', 'zzz'], 2, 'Cannot find lens "zzz" in "WORK": see "sunwell lens list", or name a file'],
    [['lens', 'resolve', 'gone.lens'], 2, 'Cannot read "gone.lens": there is no such file'],
    [
      ['lens', 'resolve', 'skills/team.skills.yaml'],
      2,
      'Cannot resolve "skills/team.skills.yaml" as a lens: it is a library, "sunwell lens skill-graph" draws it',
    ],
    [['lens', 'skill-graph', '.git/HEAD'], 2, 'Cannot use ".git/HEAD": it is neither a lens nor a library'],
    [
      ['lens', 'skill-graph', 'harbor', '--svg', '--dot'],
      2,
      'Cannot read the command line: choose one of --json, --mermaid, --dot and --svg, see "sunwell --help"',
    ],
    [
      ['lens', 'skill-graph', 'harbor', '--output', 'gone/x.svg'],
      1,
      'Cannot write "gone/x.svg": there is no such folder\n',
    ],
    [['lens', 'skill-graph', 'harbor', '--output', 'lenses'], 1, 'Cannot write "lenses": it is a folder\n'],
  ])('%j ends with %i', async (words, exitCode, message) => {
    await using rig = await CliRig.make(files);
    const ran = await rig.run(words);
    expect([ran.exitCode, ran.stdout]).toEqual([exitCode, '']);
    expect(ran.stderr).toContain(message.replace('WORK', join(rig.folder, 'work')));
  });

  test('a lens that cannot be read is listed with the reason, once', async () => {
    await using rig = await CliRig.make({
      'work/large.lens': `# ${'x'.repeat(1024 * 1024)}`,
      'work/list.lens': '- a\n',
      'work/deep.lens': `a: ${'['.repeat(200)}${']'.repeat(200)}\n`,
      'work/two.lens': 'a: 1\n---\nb: 2\n',
    });
    expect((await rig.run(['lens', 'list'])).stderr).toBe(
      'Cannot read "deep.lens": The file is nested more than 64 levels deep\n' +
        'Cannot read "large.lens": it is larger than 1 MiB\n' +
        'Cannot read "list.lens": The file is not a YAML map\n' +
        'Cannot read "two.lens": The file has a second document: only the first counts\n',
    );
  });

  test('a name that two lenses have is refused, naming both files', async () => {
    await using rig = await CliRig.make({
      ...files,
      'work/other/HARBOR.lens': 'metadata: { name: X, version: 1.0.0 }',
    });
    const ran = await rig.run(['lens', 'show', 'Harbor', '--json']);
    expect([ran.exitCode, JSON.parse(ran.stdout)]).toEqual([
      2,
      {
        error: {
          code: 'lens.ambiguous-name',
          message: 'Cannot choose lens "Harbor": name the file, "lenses/harbor.lens" or "other/HARBOR.lens"',
          details: { name: 'Harbor', files: ['lenses/harbor.lens', 'other/HARBOR.lens'] },
        },
      },
    ]);
  });

  test('the user’s own lenses are found by name from anywhere', async () => {
    await using rig = await CliRig.make({
      'home/lenses/mine.lens': 'metadata: { name: Mine, version: 1.0.0 }\n',
    });
    const { stdout } = await rig.run(['lens', 'skill-graph', 'MINE']);
    expect(stdout).toBe('Mine: 0 skills in 0 waves\n');
  });

  test('the user’s own home does not make the folder around it a workspace', async () => {
    await using rig = await CliRig.make({ 'home/x.txt': '', 'a.lens': files['work/lenses/base.lens'] });
    rig.setHome('.sunwell');
    await rig.write({ '.sunwell/x.txt': '', 'free/b.lens': files['work/lenses/base.lens'] });
    const { stdout } = await rig.run(['lens', 'list', '--json'], 'free');
    expect((JSON.parse(stdout) as { file: string }[]).map(({ file }) => file)).toEqual(['b.lens']);
  });
});

describe('sunwell lens show', () => {
  test('says what a lens knows and does', async () => {
    await using rig = await CliRig.make(files);
    expect(await rig.run(['lens', 'show', 'harbor DOCS'])).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: `Harbor docs 1.2.0 · docs
Keeps pages true
Extends lenses/base.lens

Heuristics
  One idea  One idea a paragraph
  Show      Show then tell

Personas
  Newcomer  Knows nothing

Validators
  no-todo  error    does not contain TODO
  kind     warning  Is it kind?

Workflows
  all  (read) → write

Shortcuts
  ::w  write

Inputs
  topic  What about

Skills
  Wave 1  read   Reads
  Wave 2  write  Writes

2 skills in 2 waves

What it needs
  Before a run it asks for topic.
  2 skills need a model: read and write.

What it delivers
  Files are only proposed: nothing is written before you have looked at it.
`,
    });
  });

  test('--json prints the merged lens and its graph', async () => {
    await using rig = await CliRig.make(files);
    const { stdout } = await rig.run(['lens', 'show', 'harbor', '--json']);
    const { lens, graph } = JSON.parse(stdout) as { lens: unknown; graph: unknown };
    expect([LensDocument.parse(lens).metadata.name, GraphDocument.parse(graph).lensName]).toEqual([
      'Harbor docs',
      'Harbor docs',
    ]);
  });
});

describe('sunwell lens resolve', () => {
  test('prints each item with its origin and what it replaces', async () => {
    await using rig = await CliRig.make(files);
    expect(await rig.run(['lens', 'resolve', 'lenses/harbor.lens'])).toEqual({
      exitCode: 0,
      stderr: '',
      stdout: `Harbor docs 1.2.0
  from lenses/harbor.lens, which extends lenses/base.lens

Heuristics
  One idea  lenses/harbor.lens:5, replaces lenses/base.lens:3
  Show      lenses/base.lens:4

Personas
  Newcomer  lenses/base.lens:5

Deterministic validators
  no-todo  lenses/base.lens:7

Heuristic validators
  kind  lenses/base.lens:8

Workflows
  all  lenses/base.lens:9

Inputs
  topic  lenses/base.lens:10

Skills
  read   lenses/harbor.lens:8
  write  lenses/harbor.lens:9

Shortcuts
  ::w  lenses/harbor.lens:write
`,
    });
  });

  test('--json prints the documented document', async () => {
    await using rig = await CliRig.make(files);
    const document = LensDocument.parse(
      JSON.parse((await rig.run(['lens', 'resolve', 'harbor', '--json'])).stdout),
    );
    expect([document.extends, document.shortcuts, document.heuristics[0]]).toEqual([
      ['lenses/base.lens'],
      { '::w': { skill: 'write', resolved: 'lenses/harbor.lens:write' } },
      {
        name: 'One idea',
        rule: 'One idea a paragraph',
        origin: { file: 'lenses/harbor.lens', line: 5, column: 7, endLine: 5, endColumn: 53 },
        overrides: { file: 'lenses/base.lens', line: 3, column: 5, endLine: 3, endColumn: 34 },
      },
    ]);
  });
});

describe('sunwell lens skill-graph', () => {
  test('prints the waves, from any folder', async () => {
    await using rig = await CliRig.make(files);
    expect(await rig.run(['lens', 'skill-graph', '../lenses/harbor.lens'], 'work/skills')).toEqual({
      exitCode: 0,
      stdout: 'Harbor docs: 2 skills in 2 waves\nWave 1  1  read\nWave 2  1  write\n',
      stderr: '',
    });
  });

  test('draws a library with a cycle, and says where its problems are told', async () => {
    await using rig = await CliRig.make(files);
    expect(await rig.run(['lens', 'skill-graph', 'skills/team.skills.yaml'])).toEqual({
      exitCode: 0,
      stdout: 'skills/team.skills.yaml: 1 skill in 0 waves\nIn or behind a cycle  1  a\n',
      stderr: '1 error: run "sunwell validate skills/team.skills.yaml" to see them\n',
    });
  });

  test('a lone file outside any workspace still reaches the files beside its folder', async () => {
    await using rig = await CliRig.make({
      'alone/lenses/a.lens':
        'metadata: { name: A, version: 1.0.0 }\nskills: [{ name: x, description: d, scripts: [{ name: x.py, path: ../scripts/x.py }] }]\n',
      'alone/scripts/x.py': 'print(1)\n',
    });
    expect(await rig.run(['lens', 'skill-graph', '../alone/lenses/a.lens'])).toEqual({
      exitCode: 0,
      stdout: 'A: 1 skill in 1 wave\nWave 1  1  x\n',
      stderr: '',
    });
  });

  test.each([
    ['--mermaid', /^flowchart LR\n {2}s0\["read"\]\n {2}s1\["write"\]\n {2}s0 --> s1\n$/],
    ['--dot', /^digraph "Harbor docs" \{\n[^]*s0 -> s1;\n\}\n$/],
    ['--svg', /^<svg [^]*<title>Harbor docs<\/title>[^]*<\/svg>\n$/],
    ['--json', /^\{\n {2}"lensName": "Harbor docs",[^]*\n\}\n$/],
  ])('%s prints that form, and --output writes the same bytes', async (option, form) => {
    await using rig = await CliRig.make(files);
    const { stdout } = await rig.run(['lens', 'skill-graph', 'harbor', option]);
    expect(stdout).toMatch(form);
    const ran = await rig.run(['lens', 'skill-graph', 'harbor', option, '--output', 'graph.out']);
    expect([ran, await readFile(join(rig.folder, 'work/graph.out'), 'utf8')]).toEqual([
      { exitCode: 0, stdout: '', stderr: '' },
      stdout,
    ]);
  });

  test.skipIf(process.platform === 'win32')(
    '--output writes into a pipe and leaves it in its place',
    async () => {
      await using rig = await CliRig.make(files);
      const pipe = join(rig.folder, 'work/pipe');
      execFileSync('mkfifo', [pipe]);
      // Opened for both, so that neither end waits for the other.
      await using reader = await open(pipe, 'r+');
      const { exitCode } = await rig.run(['lens', 'skill-graph', 'harbor', '--dot', '--output', 'pipe']);
      expect([exitCode, (await lstat(pipe)).isFIFO()]).toEqual([0, true]);
      const { buffer, bytesRead } = await reader.read();
      expect(buffer.toString('utf8', 0, bytesRead)).toMatch(/^digraph "Harbor docs" \{/);
    },
  );
});

test('what a file says reaches a terminal only as text, as lines and as JSON', async () => {
  const name = 'a\u001b[31mb\u009b1mc\u202ed';
  await using rig = await CliRig.make({
    'work/a.lens': `metadata: { name: ${JSON.stringify(name)}, version: 1.0.0 }\nskills: [{ name: ${JSON.stringify(name)}, description: d, instructions: i }]\n`,
  });
  for (const command of [['lens', 'show'], ['lens', 'resolve'], ['lens', 'skill-graph'], ['validate']]) {
    for (const form of [
      [],
      ['--json'],
      ...(command[1] === 'skill-graph' ? [['--mermaid'], ['--dot'], ['--svg']] : []),
    ]) {
      const ran = await rig.run([...command, 'a.lens', ...form]);
      expect([command, form, ran.stdout + ran.stderr]).toEqual([
        command,
        form,
        expect.not.stringMatching(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f]/),
      ]);
    }
  }
  expect(JSON.parse((await rig.run(['lens', 'resolve', 'a.lens', '--json'])).stdout)).toMatchObject({
    metadata: { name },
  });
});

describe('sunwell schema', () => {
  const schemas = { 'app/resources/schemas/lens.schema.json': '{ "title": "Lens" }\n' };

  test('prints the shipped schema', async () => {
    await using rig = await CliRig.make(schemas);
    expect(await rig.run(['schema', 'lens'])).toEqual({
      exitCode: 0,
      stdout: '{ "title": "Lens" }\n',
      stderr: '',
    });
  });

  test('lists the schemas that there are', async () => {
    await using rig = await CliRig.make(schemas);
    const ran = await rig.run(['schema', 'skill']);
    expect([ran.exitCode, ran.stderr]).toEqual([
      2,
      'Cannot read the command line: value "skill" is invalid for argument "name". ' +
        'Allowed choices are lens, library, fixtures, config, lock, see "sunwell --help"\n',
    ]);
  });
});
