import { describe, expect, test } from 'vitest';
import { CliRig } from '../testing/cli-rig.ts';

const files = {
  'app/resources/library/common.skills.yaml':
    'skills: [{ name: list, description: Lists, scripts: [{ name: l.py, content: x }] }]\n',
  'work/a.lens': [
    'metadata: { name: A, version: 1.0.0 }',
    'skills:',
    '  - { name: write, description: Writes, instructions: "one\\ntwo", depends_on: ["./team/team.skills.yaml:read"] }',
    '  - { name: list, description: Own list, instructions: i }',
    '',
  ].join('\n'),
  'work/team/team.skills.yaml': [
    'skills:',
    '  - { name: read, description: Reads, trust: full, instructions: i, depends_on: "sunwell/common:list", produces: [text] }',
    '  - { name: borrowed, source: "sunwell/common:list" }',
    '',
  ].join('\n'),
  'work/.agents/skills/notes/SKILL.md': '---\nname: notes\ndescription: Takes notes\n---\nTake notes.\n',
};

const read = {
  id: 'team/team.skills.yaml:read',
  name: 'read',
  description: 'Reads',
  library: 'team/team.skills.yaml',
  source: 'own',
  trust: 'full',
  type: 'inline',
};
const list = {
  id: 'sunwell/common:list',
  name: 'list',
  description: 'Lists',
  library: 'sunwell/common',
  source: 'builtin',
  trust: 'sandboxed',
  type: 'inline',
};

describe('sunwell skills list', () => {
  test('--json lists every library of the workspace, the built-in one and Agent Skills', async () => {
    await using rig = await CliRig.make(files);
    const ran = await rig.run(['skills', 'list', '--json'], 'work/team');
    expect([ran.exitCode, ran.stderr, JSON.parse(ran.stdout)]).toEqual([
      0,
      '',
      [
        read,
        {
          ...read,
          id: 'team/team.skills.yaml:borrowed',
          name: 'borrowed',
          description: null,
          trust: 'sandboxed',
          type: 'reference',
        },
        list,
        {
          id: '.agents/skills/notes/SKILL.md:notes',
          name: 'notes',
          description: 'Takes notes',
          library: '.agents/skills/notes',
          source: 'agent-skill',
          trust: 'sandboxed',
          type: 'inline',
        },
      ],
    ]);
  });

  test.each([
    ['sunwell/common', ['list']],
    ['team.skills.yaml', ['read', 'borrowed']],
    ['team/team.skills.yaml', ['read', 'borrowed']],
    ['../.agents/skills', ['notes']],
  ])('%s is a library', async (library, names) => {
    await using rig = await CliRig.make(files);
    const { stdout } = await rig.run(['skills', 'list', library, '--json'], 'work/team');
    expect((JSON.parse(stdout) as { name: string }[]).map(({ name }) => name)).toEqual(names);
  });

  test('a library outside the workspace is named as its own workspace names it', async () => {
    await using rig = await CliRig.make({ ...files, 'far/skills/x.skills.yaml': 'skills: [{ name: x }]\n' });
    const { stdout } = await rig.run(['skills', 'list', '../far/skills', '--json']);
    expect((JSON.parse(stdout) as { id: string }[]).map(({ id }) => id)).toEqual(['skills/x.skills.yaml:x']);
    const shown = await rig.run(['skills', 'show', '../far/skills/x.skills.yaml:x']);
    expect(shown.stdout).toContain('skills/x.skills.yaml:x\n');
  });

  test('prints a table for people', async () => {
    await using rig = await CliRig.make(files);
    expect(await rig.run(['skills', 'list', 'team'])).toEqual({
      exitCode: 0,
      stdout:
        'NAME      TYPE       SOURCE  LIBRARY\nread      inline     own     team\nborrowed  reference  own     team\n',
      stderr: '',
    });
  });

  test.each([
    [
      'nowhere',
      'Cannot find library "nowhere": name a file or folder, "sunwell/common" or "fount://package@range"\n',
    ],
    [
      'fount://',
      'Cannot find library "fount://": write "fount://package@range", for example "fount://@team/pkg@^1.0.0"\n',
    ],
    ['fount://x@^1.0.0', expect.stringContaining('Cannot find library "fount://x@^1.0.0": ') as string],
  ])('%s is refused', async (library, message) => {
    await using rig = await CliRig.make(files);
    expect(await rig.run(['skills', 'list', library])).toEqual({ exitCode: 2, stdout: '', stderr: message });
  });
});

describe('sunwell skills show', () => {
  test('prints a skill with what it needs and what needs it, in all lenses of the workspace', async () => {
    await using rig = await CliRig.make(files);
    const expected = {
      exitCode: 0,
      stderr: '',
      stdout: `read  inline · own · full
Reads

Id            team/team.skills.yaml:read
Defined in    team/team.skills.yaml:2
Produces      text
Depends on    sunwell/common:list
Upstream      sunwell/common:list
Downstream    a.lens:write
Instructions  1 line
`,
    };
    expect(await rig.run(['skills', 'show', 'READ'])).toEqual(expected);
    expect(await rig.run(['skills', 'show', './team/team.skills.yaml:read'])).toEqual(expected);
    expect(await rig.run(['skills', 'show', 'a#read'])).toEqual(expected);
  });

  test('--json has every detail', async () => {
    await using rig = await CliRig.make(files);
    const { stdout } = await rig.run(['skills', 'show', 'sunwell/common:list', '--json']);
    expect(JSON.parse(stdout)).toEqual({
      id: 'sunwell/common:list',
      name: 'list',
      description: 'Lists',
      type: 'inline',
      source: 'builtin',
      trust: 'sandboxed',
      origin: { file: 'sunwell/common/common.skills.yaml', line: 1, column: 10, endLine: 1, endColumn: 83 },
      dependsOn: [],
      upstream: [],
      downstream: ['a.lens:write', 'team/team.skills.yaml:read'],
      produces: [],
      requires: [],
      triggers: [],
      scripts: [{ name: 'l.py', language: 'python', args: [] }],
      resources: [],
      instructionLines: 0,
      permissions: null,
      timeoutSeconds: 30,
      cache: true,
      files: null,
    });
  });

  test.each([
    ['a.lens:write', 'write'],
    ['A#list', 'list'],
    ['notes', 'notes'],
  ])('%s is found', async (text, name) => {
    await using rig = await CliRig.make(files);
    const ran = await rig.run(['skills', 'show', text, '--json']);
    expect([ran.exitCode, (JSON.parse(ran.stdout) as { name: string }).name]).toEqual([0, name]);
  });

  test.each([
    ['raed', 'Cannot find skill "raed": did you mean "read"?\n'],
    ['a#zzz', 'Cannot find skill "a#zzz": see "sunwell skills list"\n'],
    ['list', 'Cannot tell which skill "list" means: write "a.lens:list" or "sunwell/common:list"\n'],
    [
      './gone:read',
      'Cannot find library "./gone": name a file or folder, "sunwell/common" or "fount://package@range"\n',
    ],
  ])('%s is refused', async (text, message) => {
    await using rig = await CliRig.make(files);
    expect(await rig.run(['skills', 'show', text])).toEqual({ exitCode: 2, stdout: '', stderr: message });
  });
});
