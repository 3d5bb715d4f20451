import { link, mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { discoverSkills } from './discover-skills.ts';
import type { DiscoverRequest, SkillDiscovery } from './discover-skills.ts';
import { skillMd, SkillRig } from './testing/skill-rig.ts';

const rig = new SkillRig();
afterAll(() => rig[Symbol.asyncDispose]());

/** Discovers in a project and a home made of these files. */
async function discovered(
  files: Readonly<Record<string, string>>,
  more: Partial<DiscoverRequest> = {},
): Promise<SkillDiscovery> {
  const folder = await rig.folderWith(files);
  return discoverSkills({ project: join(folder, 'project'), home: join(folder, 'home'), ...more });
}

const names = ({ skills }: SkillDiscovery): string[] => skills.map(({ scope, file }) => `${scope} ${file}`);

test('discoverSkills() gives an explicit list, each skill pinned by the hash of its folder', async () => {
  const folder = await rig.folderWith({
    'project/.claude/skills/pdf/SKILL.md': skillMd('pdf'),
    'project/.claude/skills/pdf/scripts/x.sh*': 'x',
  });
  const project = join(folder, 'project');
  const pdf = {
    name: 'pdf',
    description: 'Does pdf. Use it when asked',
    scope: 'project',
    file: '.claude/skills/pdf/SKILL.md',
    folder: join(project, '.claude/skills/pdf'),
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
    problems: [],
  };
  const first = await discoverSkills({ project });
  expect(first).toEqual({
    skills: [pdf],
    shadowed: [],
    skipped: [],
    hidden: [],
    suggestions: [],
    leftOut: undefined,
    event: {
      type: 'skills_discovered',
      skills: [{ name: 'pdf', file: '.claude/skills/pdf/SKILL.md', sha256: first.skills[0]!.sha256 }],
      shadowed: 0,
      skipped: 0,
    },
  });
  await writeFile(join(project, '.claude/skills/pdf/scripts/x.sh'), 'y');
  expect((await discoverSkills({ project })).skills[0]!.sha256).not.toBe(first.skills[0]!.sha256);
});

test('discoverSkills() looks where the agents of the table look, in the project and at home', async () => {
  const at = (place: string, name: string): [string, string] => [`${place}/${name}/SKILL.md`, skillMd(name)];
  const result = await discovered(
    Object.fromEntries([
      at('project/skills', 'a'),
      at('project/.claude/skills', 'b'),
      at('project/.agents/skills', 'c'),
      at('project/.github/skills', 'd'),
      at('project/.trae/skills', 'e'),
      at('project/docs', 'not-a-place'),
      at('home/.claude/skills', 'f'),
      at('home/.codex/skills', 'g'),
      at('home/.config/goose/skills', 'h'),
      at('home/skills', 'not-a-place'),
    ]),
  );
  expect(names(result)).toEqual([
    'project skills/a/SKILL.md',
    'project .claude/skills/b/SKILL.md',
    'project .agents/skills/c/SKILL.md',
    'project .github/skills/d/SKILL.md',
    'project .trae/skills/e/SKILL.md',
    'user ~/.claude/skills/f/SKILL.md',
    'user ~/.codex/skills/g/SKILL.md',
    'user ~/.config/goose/skills/h/SKILL.md',
  ]);
});

test('case 20: only a file named exactly SKILL.md makes a skill', async () => {
  const result = await discovered({
    'project/skills/a/skill.md': skillMd('a'),
    'project/skills/b/Skill.md': skillMd('b'),
    'project/skills/c/SKILL.md': skillMd('c'),
  });
  expect(names(result)).toEqual(['project skills/c/SKILL.md']);
});

test('spare case: the project shadows the user, and the shadowed one is named', async () => {
  const result = await discovered({
    'home/.claude/skills/pdf/SKILL.md': skillMd('pdf', 'The user’s'),
    'project/.agents/skills/pdf/SKILL.md': skillMd('pdf', 'The project’s'),
    'project/.claude/skills/pdf/SKILL.md': skillMd('pdf', 'First'),
  });
  expect([
    result.skills.map(({ description }) => description),
    result.shadowed,
    result.event.shadowed,
  ]).toEqual([
    ['First'],
    [
      {
        name: 'pdf',
        scope: 'project',
        file: '.agents/skills/pdf/SKILL.md',
        by: '.claude/skills/pdf/SKILL.md',
      },
      {
        name: 'pdf',
        scope: 'user',
        file: '~/.claude/skills/pdf/SKILL.md',
        by: '.claude/skills/pdf/SKILL.md',
      },
    ],
    2,
  ]);
});

describe('spare case: what is searched is bounded', () => {
  test('folders more than six deep are left out, .git and node_modules are skipped', async () => {
    const result = await discovered({
      'project/skills/1/2/3/4/5/six/SKILL.md': skillMd('six'),
      'project/skills/1/2/3/4/5/6/seven/SKILL.md': skillMd('seven'),
      'project/skills/node_modules/x/SKILL.md': skillMd('x'),
      'project/skills/.git/y/SKILL.md': skillMd('y'),
    });
    expect([names(result), result.leftOut]).toEqual([
      ['project skills/1/2/3/4/5/six/SKILL.md'],
      'Folders more than 6 deep were left out',
    ]);
  });

  test('after two thousand folders it is enough', async () => {
    const folder = await rig.makeFolder();
    const skills = join(folder, 'skills');
    for (let n = 0; n < 2_100; n++)
      await mkdir(join(skills, `f${String(n).padStart(4, '0')}`), { recursive: true });
    await rig.write(skills, { 'f0005/SKILL.md': skillMd('f0005'), 'f2099/SKILL.md': skillMd('f2099') });
    const result = await discoverSkills({ project: folder });
    expect([names(result), result.leftOut]).toEqual([
      ['project skills/f0005/SKILL.md'],
      'Only the first 2000 folders were looked at',
    ]);
  });
});

test('spare case: a skill inside a skill is found once, also where two searched folders overlap', async () => {
  const folder = await rig.folderWith({
    'skills/outer/SKILL.md': skillMd('outer'),
    'skills/outer/inner/SKILL.md': skillMd('inner'),
  });
  const result = await discoverSkills({
    project: folder,
    configured: [folder, join(folder, 'skills/outer')],
  });
  expect([names(result), result.shadowed]).toEqual([
    ['project skills/outer/SKILL.md', 'project skills/outer/inner/SKILL.md'],
    [],
  ]);
});

test('case 38: a linked skill folder is followed once, under the name of its frontmatter; loops end', async () => {
  const folder = await rig.folderWith({
    'store/pdf/SKILL.md': skillMd('pdf'),
    'store/deep/one/SKILL.md': skillMd('one'),
    'other/two/SKILL.md': skillMd('two'),
    'project/skills/.keep': '',
  });
  const skills = join(folder, 'project/skills');
  await symlink(join(folder, 'store/pdf'), join(skills, 'alias'));
  await symlink(join(folder, 'store/pdf'), join(skills, 'again'));
  await symlink(join(folder, 'store/deep'), join(skills, 'deep'));
  await symlink(join(folder, 'other'), join(folder, 'store/deep/linked'));
  await symlink(skills, join(skills, 'loop'));
  await symlink('/nowhere/at/all', join(skills, 'dead'));
  const result = await discoverSkills({ project: join(folder, 'project') });
  expect(result.skills.map(({ name, file }) => `${name} ${file}`)).toEqual([
    'pdf skills/again/SKILL.md',
    'one skills/deep/one/SKILL.md',
  ]);
});

test('spare case: --allow and --deny hide skills by name, and denying wins', async () => {
  const skills = ['pdf-read', 'pdf-deprecated', 'notes'].map((name): [string, string] => [
    `project/skills/${name}/SKILL.md`,
    skillMd(name),
  ]);
  const result = await discovered(Object.fromEntries(skills), { allow: ['pdf-*'], deny: ['*-deprecated'] });
  expect([names(result), result.hidden]).toEqual([
    ['project skills/pdf-read/SKILL.md'],
    ['notes', 'pdf-deprecated'],
  ]);
});

test('spare case: CODEX_HOME and XDG_CONFIG_HOME move parts of the home; without a home there are no user skills', async () => {
  const folder = await rig.folderWith({
    'codex/skills/a/SKILL.md': skillMd('a'),
    'config/agents/skills/b/SKILL.md': skillMd('b'),
    'home/.codex/skills/old/SKILL.md': skillMd('old'),
    'home/.claude/skills/c/SKILL.md': skillMd('c'),
  });
  const environment = { CODEX_HOME: join(folder, 'codex'), XDG_CONFIG_HOME: join(folder, 'config') };
  expect(names(await discoverSkills({ home: join(folder, 'home'), environment }))).toEqual([
    'user ~/.claude/skills/c/SKILL.md',
    'user $CODEX_HOME/skills/a/SKILL.md',
    'user $XDG_CONFIG_HOME/agents/skills/b/SKILL.md',
  ]);
  expect(names(await discoverSkills({ environment: {} }))).toEqual([]);
});

test('discoverSkills() suggests dependencies that skills speak of and do not declare', async () => {
  const declared = `---\nname: c\ndescription: d\nmetadata:\n  sunwell: '{"depends_on":["read-file"]}'\n---\nUse the read-file skill.\n`;
  const { suggestions } = await discovered(
    {
      'project/skills/read-file/SKILL.md': skillMd('read-file'),
      'project/skills/b/SKILL.md': skillMd('b', 'd', 'First\nuse the `read-file` skill.\n'),
      'project/skills/c/SKILL.md': declared,
    },
    { suggest: true },
  );
  expect(suggestions).toEqual([
    { from: 'b', to: 'read-file', line: 2, evidence: 'use the `read-file` skill.' },
  ]);
});

describe('what is wrong with a skill', () => {
  test('cases 6, 10, 11 and 25: what can be loaded is listed with warnings, what cannot is kept with its errors', async () => {
    const long = 'a'.repeat(70);
    const result = await discovered({
      'project/skills/wrong-name/SKILL.md': skillMd('right-name'),
      [`project/skills/${long}/SKILL.md`]: skillMd(long),
      'project/skills/extra/SKILL.md': '---\nname: extra\ndescription: d\nunknown_field: x\n---\n',
      'project/skills/no-description/SKILL.md': '---\nname: no-description\n---\n',
      'project/skills/broken/SKILL.md': '---\nname: [invalid\n---\n',
    });
    expect(
      result.skills.map(({ name, problems }) => [
        name,
        problems.map(({ code, severity }) => [code, severity]),
      ]),
    ).toEqual([
      [long, [['agent-skill.name-too-long', 'warning']]],
      ['extra', [['agent-skill.unexpected-fields', 'warning']]],
      ['right-name', [['agent-skill.directory-mismatch', 'warning']]],
    ]);
    expect(
      result.skipped.map(({ file, problems }) => [file, problems[0]?.code, problems[0]?.severity]),
    ).toEqual([
      ['skills/broken/SKILL.md', 'agent-skill.bad-yaml', 'error'],
      ['skills/no-description/SKILL.md', 'agent-skill.missing-description', 'error'],
    ]);
  });

  test('spare case: a description of 1068 characters is loaded with a warning', async () => {
    const result = await discovered({
      'project/skills/claude-api/SKILL.md': skillMd('claude-api', 'x'.repeat(1068)),
    });
    expect(result.skills.map(({ name, problems }) => [name, problems[0]?.code])).toEqual([
      ['claude-api', 'agent-skill.description-too-long'],
    ]);
  });

  test('a SKILL.md that is a folder or a link, and a skill that is too large, are skipped and say why', async () => {
    const folder = await rig.folderWith({
      'skills/folder/SKILL.md/x': 'x',
      'skills/linked/real.md': skillMd('linked'),
      'skills/large/SKILL.md': skillMd('large'),
      'skills/large/big': 'x'.repeat(11 * 1024 * 1024),
    });
    await symlink('real.md', join(folder, 'skills/linked/SKILL.md'));
    const { skills, skipped } = await discoverSkills({ project: folder });
    expect(skills).toEqual([]);
    expect(skipped.map(({ file, problems }) => `${file}: ${problems[0]?.message}`)).toEqual([
      'skills/folder/SKILL.md: Missing required file: SKILL.md',
      'skills/large/SKILL.md: Skill "large" exceeds total size limit of 10 MiB',
      'skills/linked/SKILL.md: Cannot use "linked": its SKILL.md is a link; put the file itself there',
    ]);
  });

  test('a hard link is an ordinary file', async () => {
    const folder = await rig.folderWith({ 'skills/a/SKILL.md': skillMd('a'), x: 'x' });
    await link(join(folder, 'x'), join(folder, 'skills/a/x'));
    expect(names(await discoverSkills({ project: folder }))).toEqual(['project skills/a/SKILL.md']);
  });
});
