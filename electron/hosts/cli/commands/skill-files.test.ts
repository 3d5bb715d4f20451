import { mkdir, readFile, readdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { SkillMatch } from '#shared/agent-skills/match.ts';
import { CliRig } from '../testing/cli-rig.ts';

const skillMd = (name: string, more = '', body = 'Do it.\n'): string =>
  `---\nname: ${name}\ndescription: Does ${name}. Use it when asked\n${more}---\n${body}`;

const lens = [
  '# A lens',
  'metadata: { name: Docs, version: 1.0.0 }',
  'skills:',
  '  - name: write',
  '    description: Writes pages',
  '    instructions: Write.',
  '    depends_on: [read, "sunwell/common:list"]',
  '    triggers: [api docs]',
  '  - name: read',
  '    description: Reads sources',
  '    instructions: Read.',
  '  - name: alone',
  '    description: Stands alone',
  '    instructions: Stand.',
  '',
].join('\n');

const files = {
  'app/resources/library/common.skills.yaml':
    'skills: [{ name: list, description: Lists, scripts: [{ name: l.py, content: x }] }]\n',
  'work/docs.lens': lens,
};

async function tree(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
    .sort();
}

describe('sunwell skills discover', () => {
  const skills = {
    'work/.claude/skills/pdf/SKILL.md': skillMd('pdf'),
    'work/.claude/skills/old-deprecated/SKILL.md': skillMd('old-deprecated'),
    'work/.claude/skills/broken/SKILL.md': 'nothing',
    'me/.claude/skills/pdf/SKILL.md': skillMd('pdf'),
    'me/.agents/skills/notes/SKILL.md': skillMd('notes'),
  };

  test('--json has every list', async () => {
    await using rig = await CliRig.make(skills);
    const ran = await rig.run(['skills', 'discover', '--home', '../me', '--deny', '*-deprecated', '--json']);
    const sha256 = expect.stringMatching(/^[0-9a-f]{64}$/) as string;
    expect([ran.exitCode, ran.stderr, JSON.parse(ran.stdout)]).toEqual([
      0,
      '',
      {
        skills: [
          {
            name: 'pdf',
            description: 'Does pdf. Use it when asked',
            scope: 'project',
            file: '.claude/skills/pdf/SKILL.md',
            folder: join(rig.folder, 'work/.claude/skills/pdf'),
            sha256,
            problems: [],
          },
          {
            name: 'notes',
            description: 'Does notes. Use it when asked',
            scope: 'user',
            file: '~/.agents/skills/notes/SKILL.md',
            folder: join(rig.folder, 'me/.agents/skills/notes'),
            sha256,
            problems: [],
          },
        ],
        shadowed: [
          {
            name: 'pdf',
            scope: 'user',
            file: '~/.claude/skills/pdf/SKILL.md',
            by: '.claude/skills/pdf/SKILL.md',
          },
        ],
        skipped: [
          {
            scope: 'project',
            file: '.claude/skills/broken/SKILL.md',
            problems: [expect.objectContaining({ code: 'agent-skill.no-frontmatter', line: 1 })],
          },
        ],
        hidden: ['old-deprecated'],
        suggestions: [],
        leftOut: null,
      },
    ]);
  });

  test('prints a table, and what is not used on standard error', async () => {
    await using rig = await CliRig.make(skills);
    const ran = await rig.run(['skills', 'discover', '--home', '../me', '--allow', 'p*']);
    expect(ran.stdout).toMatch(
      /^NAME {2}SCOPE +SHA-256 +FILE\npdf {3}project {2}[0-9a-f]{12} {2}\.claude\/skills\/pdf\/SKILL\.md\n$/,
    );
    expect(ran.stderr).toBe(
      '"~/.claude/skills/pdf/SKILL.md" is not used: ".claude/skills/pdf/SKILL.md" has the name "pdf" too\n' +
        'Cannot load ".claude/skills/broken/SKILL.md": SKILL.md must start with YAML frontmatter (---)\n',
    );
  });

  test('a named folder is searched as a whole, a missing one is refused, an empty one says so', async () => {
    await using rig = await CliRig.make({ ...skills, 'work/collection/a/SKILL.md': skillMd('a') });
    const { stdout } = await rig.run(['skills', 'discover', 'collection', '--json']);
    expect((JSON.parse(stdout) as { skills: { scope: string; name: string }[] }).skills).toMatchObject([
      { name: 'a', scope: 'configured' },
    ]);
    expect((await rig.run(['skills', 'discover', 'gone'])).exitCode).toBe(2);
    await mkdir(join(rig.folder, 'work/empty'));
    expect(await rig.run(['skills', 'discover', 'empty'])).toEqual({
      exitCode: 0,
      stdout: '',
      stderr: `No Agent Skills in "${join(rig.folder, 'work/empty')}"\n`,
    });
  });
});

describe('sunwell skills install', () => {
  test('a lens arrives with all it depends on, dependencies first', async () => {
    await using rig = await CliRig.make(files);
    const ran = await rig.run([
      'skills',
      'install',
      'docs.lens#write',
      '--into',
      'claude',
      '--home',
      '../me',
      '--json',
    ]);
    expect([ran.exitCode, ran.stderr]).toEqual([0, '']);
    expect(JSON.parse(ran.stdout)).toMatchObject({
      agent: 'claude',
      dir: '~/.claude/skills',
      dryRun: false,
      skills: [{ name: 'list' }, { name: 'read' }, { name: 'write' }],
      event: {
        type: 'skills_installed',
        inline: ['list', 'read', 'write'],
        referenced: [],
        dir: '~/.claude/skills',
      },
    });
    expect(await tree(join(rig.folder, 'me/.claude/skills'))).toEqual([
      'list/SKILL.md',
      'list/scripts/l.py',
      'read/SKILL.md',
      'write/SKILL.md',
    ]);
    await rig.run(['skills', 'install', 'docs', '--into', 'codex', '--project']);
    expect(await readdir(join(rig.folder, 'work/.agents/skills'))).toEqual([
      'alone',
      'list',
      'read',
      'write',
    ]);
  });

  test('a folder arrives with the folders beside it that it depends on', async () => {
    await using rig = await CliRig.make({
      'work/lib/a/SKILL.md': skillMd('a', `metadata:\n  sunwell: '{"depends_on":["b"]}'\n`),
      'work/lib/b/SKILL.md': skillMd('b', `metadata:\n  sunwell: '{"depends_on":["c"]}'\n`),
      'work/lib/c/SKILL.md': skillMd('c'),
      'work/lib/d/SKILL.md': skillMd('d', `metadata:\n  sunwell: '{"depends_on":["c"]}'\n`),
      'work/lib/other/SKILL.md': skillMd('other'),
    });
    const ran = await rig.run([
      'skills',
      'install',
      'lib/a',
      'lib/d',
      '--into',
      'opencode',
      '--home',
      '../me',
      '--json',
    ]);
    expect([ran.stderr, (JSON.parse(ran.stdout) as { event: unknown }).event]).toEqual([
      '',
      { type: 'skills_installed', inline: [], referenced: ['c', 'b', 'a', 'd'], dir: '~/.claude/skills' },
    ]);
  });

  test('--dry-run prints what would be written and writes nothing', async () => {
    await using rig = await CliRig.make({ 'work/pdf/SKILL.md': skillMd('pdf'), 'work/pdf/x': '12345' });
    await symlink('x', join(rig.folder, 'work/pdf/link'));
    const words = ['skills', 'install', 'pdf', '--into', 'claude', '--home', 'me'];
    const lines = [
      '     FILE          BYTES',
      'new  pdf/x         5',
      `new  pdf/SKILL.md  ${skillMd('pdf').length}`,
    ];
    expect(await rig.run([...words, '--dry-run'])).toEqual({
      exitCode: 0,
      stdout: `${lines.join('\n')}\n1 skill would go into me/.claude/skills\n`,
      stderr: 'Left out of "pdf": "link": it is a link\n',
    });
    expect(await readdir(join(rig.folder, 'work'))).not.toContain('me');
    await rig.run(words);
    const again = await rig.run([...words, '--follow-links', '--json']);
    expect((JSON.parse(again.stdout) as { files: unknown }).files).toMatchObject([
      { path: 'pdf/link', operation: 'new' },
      { path: 'pdf/x', operation: 'same' },
      { path: 'pdf/SKILL.md', operation: 'same' },
    ]);
  });

  test('--name renames the copy, of one skill only', async () => {
    await using rig = await CliRig.make({
      'work/pdf/SKILL.md': skillMd('pdf'),
      'work/b/SKILL.md': skillMd('b'),
    });
    await rig.run(['skills', 'install', 'pdf', '--into', 'claude', '--home', 'me', '--name', 'pdf-tools']);
    expect(await readFile(join(rig.folder, 'work/me/.claude/skills/pdf-tools/SKILL.md'), 'utf8')).toBe(
      skillMd('pdf').replace('name: pdf', 'name: pdf-tools'),
    );
    const two = await rig.run([
      'skills',
      'install',
      'pdf',
      'b',
      '--into',
      'claude',
      '--home',
      'me',
      '--name',
      'x',
    ]);
    expect(two).toMatchObject({
      exitCode: 2,
      stderr: expect.stringContaining('--name needs exactly one skill') as string,
    });
  });

  test.each([
    [
      ['pdf', '--into', 'clod', '--home', 'me'],
      2,
      'argument "clod" is invalid. Allowed choices are claude, codex,',
    ],
    [['pdf', '--into', 'claude'], 1, 'there is no home here; name one with --home, or use --project'],
    [['gone', '--into', 'claude', '--home', 'me'], 2, 'Cannot find lens "gone"'],
    [['empty', '--into', 'claude', '--home', 'me'], 1, 'Missing required file: SKILL.md'],
    [['pdf', 'other/pdf', '--into', 'claude', '--home', 'me'], 1, 'Duplicate skill name "pdf"'],
    [['pdf', '--into', 'claude', '--home', 'me', '--project'], 2, 'cannot be used with'],
    [['pdf'], 2, '--into'],
  ])('%j is refused', async (words, exitCode, message) => {
    await using rig = await CliRig.make({
      'work/pdf/SKILL.md': skillMd('pdf'),
      'work/other/pdf/SKILL.md': skillMd('pdf'),
      'work/empty/x': '',
    });
    const ran = await rig.run(['skills', 'install', ...words]);
    expect(ran).toEqual({ exitCode, stdout: '', stderr: expect.stringContaining(message) as string });
    expect(await readdir(join(rig.folder, 'work'))).not.toContain('me');
  });

  test('a dependency that is nowhere is told', async () => {
    await using rig = await CliRig.make({
      'work/lib/a/SKILL.md': skillMd('a', `metadata:\n  sunwell: '{"depends_on":["gone"]}'\n`),
    });
    const ran = await rig.run(['skills', 'install', 'lib/a', '--into', 'claude', '--home', 'me']);
    expect([ran.exitCode, ran.stderr]).toEqual([0, 'Skill "a" depends on "gone", which does not exist\n']);
  });
});

describe('sunwell skills match', () => {
  test('--json gives skill, score and reason', async () => {
    await using rig = await CliRig.make(files);
    const { stdout } = await rig.run(['skills', 'match', 'Docs', 'write the api docs', '--json']);
    expect(JSON.parse(stdout)).toEqual([
      {
        skill: 'write',
        score: expect.any(Number) as number,
        reason: 'trigger "api docs"; "write" in its name; "write" in its description',
      },
    ]);
  });

  test('a shortcut of the lens and a file of a skill outrank words', async () => {
    const head =
      'metadata: { name: Short, version: 1.0.0 }\nrouter: { shortcuts: { "::g": gather } }\nskills:\n';
    const skill = (name: string, more: string): string =>
      `  - { name: ${name}, type: inline, description: Does ${name}, instructions: x${more} }\n`;
    const skills = [skill('gather', ''), skill('count', ', files: ["*.md"]'), skill('tell', '')];
    await using rig = await CliRig.make({ 'work/short.lens': head + skills.join('') });
    const { stdout } = await rig.run(['skills', 'match', 'short.lens', '::g and tell of notes.md', '--json']);
    expect((JSON.parse(stdout) as SkillMatch[]).map(({ skill, reason }) => [skill, reason])).toEqual([
      ['gather', 'shortcut "::g"'],
      ['count', 'file "notes.md" fits "*.md"'],
      ['tell', '"tell" in its name; "tell" in its description'],
    ]);
  });

  test('nothing fits: an empty list, and a sentence for people', async () => {
    await using rig = await CliRig.make(files);
    expect(JSON.parse((await rig.run(['skills', 'match', 'Docs', 'bake a cake', '--json'])).stdout)).toEqual(
      [],
    );
    expect(await rig.run(['skills', 'match', 'Docs', 'bake a cake'])).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: expect.stringContaining('No skill of "Docs" fits "bake a cake"\n') as string,
    });
  });
});

describe('sunwell import and export', () => {
  test('a skill goes in, and comes out byte for byte', async () => {
    await using rig = await CliRig.make({
      ...files,
      'far/pdf/SKILL.md': skillMd('pdf', 'model: opus\n'),
      'far/pdf/scripts/run.py': 'print(1)\r\n',
    });
    const imported = await rig.run(['import', '../far/pdf', '--into', 'docs.lens', '--json']);
    expect([imported.exitCode, imported.stderr, JSON.parse(imported.stdout)]).toEqual([
      0,
      '',
      {
        name: 'pdf',
        lens: 'docs.lens',
        folder: 'skills/pdf',
        files: [
          { path: 'pdf/scripts/run.py', operation: 'new', size: 10, isExecutable: false },
          {
            path: 'pdf/SKILL.md',
            operation: 'new',
            size: skillMd('pdf', 'model: opus\n').length,
            isExecutable: false,
          },
        ],
        notes: [
          { what: 'model', why: 'kept in SKILL.md; a lens has no such field' },
          {
            what: 'scripts/run.py',
            why: 'copied; a run starts only scripts that the lens or metadata.sunwell names',
          },
          { what: 'SKILL.md', why: expect.stringContaining('Unexpected fields') as string },
        ],
        dryRun: false,
      },
    ]);
    expect(await readFile(join(rig.folder, 'work/docs.lens'), 'utf8')).toBe(
      `${lens}  - name: pdf\n    type: local\n    path: ./skills/pdf\n`,
    );
    const exported = await rig.run([
      'export',
      'docs.lens#pdf',
      '--format',
      'agentskills',
      '--output',
      '../out',
    ]);
    expect(exported.stdout).toContain('1 skill exported into');
    expect(await tree(join(rig.folder, 'out'))).toEqual(['pdf/SKILL.md', 'pdf/scripts/run.py']);
    expect(await readFile(join(rig.folder, 'out/pdf/SKILL.md'))).toEqual(
      await readFile(join(rig.folder, 'far/pdf/SKILL.md')),
    );
  });

  test('a whole lens is exported with its judgment, and every folder is valid', async () => {
    await using rig = await CliRig.make({
      ...files,
      'work/docs.lens': `${lens}heuristics: [{ name: Clear, rule: Be clear }]\nvalidators: { heuristic: [{ name: Plain, prompt: "Is it plain?" }] }\n`,
    });
    const ran = await rig.run(['export', 'docs', '--output', 'out', '--json']);
    expect((JSON.parse(ran.stdout) as { skills: unknown }).skills).toEqual(
      ['docs', 'write', 'read', 'alone', 'list'].map((name) => ({ name, origin: 'inline' })),
    );
    for (const name of ['docs', 'write', 'read', 'alone', 'list']) {
      expect(await rig.run(['validate-skill', `out/${name}`])).toMatchObject({
        exitCode: 0,
        stdout: `Valid skill: out/${name}\n`,
      });
    }
    const text = await readFile(join(rig.folder, 'work/out/write/SKILL.md'), 'utf8');
    for (const part of [
      '\nWrite.\n',
      '## Instructions',
      'Be clear',
      '## Verification',
      '- [ ] Plain: Is it plain?',
    ])
      expect(text).toContain(part);
  });

  test('--dry-run writes nothing, in either direction', async () => {
    await using rig = await CliRig.make({ ...files, 'far/pdf/SKILL.md': skillMd('pdf') });
    const before = await tree(join(rig.folder, 'work'));
    expect((await rig.run(['import', '../far/pdf', '--into', 'Docs', '--dry-run'])).stdout).toContain(
      '"pdf" would be imported into docs.lens: 1 file in skills/pdf\n',
    );
    expect((await rig.run(['export', 'Docs', '--output', 'out', '--dry-run'])).stdout).toContain(
      '4 skills would go into out\n',
    );
    expect(await tree(join(rig.folder, 'work'))).toEqual(before);
  });

  test.each([
    [['import', '../gone', '--into', 'docs.lens'], 2, 'Cannot find skill'],
    [['import', '../far/read', '--into', 'docs.lens'], 1, 'already has a skill of this name'],
    [['import', '../far/x.zip', '--into', 'docs.lens'], 1, 'Cannot unpack "x.zip"'],
    [['import', '../far/read', '--into', 'none.lens'], 2, 'there is no such file'],
    [['import', '../far/read'], 2, '--into'],
    [['export', 'docs.lens#none', '--output', 'out'], 2, 'Cannot find skill "docs.lens#none"'],
    [['export', 'docs.lens', '--output', 'out', '--format', 'pdf'], 2, 'agentskills'],
  ])('%j is refused', async (words, exitCode, message) => {
    await using rig = await CliRig.make({
      ...files,
      'far/read/SKILL.md': skillMd('read'),
      'far/x.zip': 'no archive',
    });
    const before = await tree(join(rig.folder, 'work'));
    expect(await rig.run(words)).toEqual({
      exitCode,
      stdout: '',
      stderr: expect.stringContaining(message) as string,
    });
    expect(await tree(join(rig.folder, 'work'))).toEqual(before);
  });

  test('a lens of the user’s own gets the skill beside it', async () => {
    await using rig = await CliRig.make({
      'home/lenses/mine.lens': lens,
      'far/pdf/SKILL.md': skillMd('pdf'),
    });
    const ran = await rig.run(['import', '../far/pdf', '--into', 'mine']);
    expect(ran.exitCode).toBe(0);
    expect(await tree(join(rig.folder, 'home/lenses'))).toEqual(['mine.lens', 'skills/pdf/SKILL.md']);
  });
});
