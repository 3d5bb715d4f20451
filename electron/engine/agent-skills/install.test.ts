import { chmod, link, mkdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { agentTable } from '#shared/agent-skills/agents.ts';
import { install, planInstall } from './install.ts';
import type { InstallTarget } from './install.ts';
import type { SkillSource } from './prepare-skill.ts';
import { SkillMountError, SkillNotFoundError, SkillValidationError } from './skill-errors.ts';
import { contentOf, pathsIn, skillMd, SkillRig } from './testing/skill-rig.ts';

const rig = new SkillRig();
afterAll(() => rig[Symbol.asyncDispose]());

const at = (path: string, more: Partial<Extract<SkillSource, { kind: 'path' }>> = {}): SkillSource => ({
  kind: 'path',
  path,
  ...more,
});

async function home(): Promise<InstallTarget> {
  return { agent: 'claude', scope: 'user', root: await rig.makeFolder() };
}

/** What a refused installation says; the target must be as empty as before. */
async function refused(sources: readonly SkillSource[]): Promise<unknown> {
  const target = await home();
  const error = await planInstall(target, sources).then(install, (thrown: unknown) => thrown);
  expect(await contentOf(target.root)).toEqual([]);
  return error;
}

describe('case 34', () => {
  test('a directory, a single file, nested files and modes arrive as <skills_dir>/<name>/…', async () => {
    const source = await rig.folderWith({
      'pdf/SKILL.md': skillMd('pdf'),
      'pdf/scripts/deep/run.sh*': '#!/bin/sh\n',
      'pdf/assets/a.bin': Uint8Array.of(0, 255, 13, 10),
      'notes.md': skillMd('notes'),
    });
    const target = await home();
    const plan = await planInstall(target, [at(join(source, 'pdf')), at(join(source, 'notes.md'))]);
    expect(await install(plan)).toEqual({
      type: 'skills_installed',
      inline: [],
      referenced: ['pdf', 'notes'],
      dir: '~/.claude/skills',
    });
    const expected = await rig.folderWith({
      'pdf/SKILL.md': skillMd('pdf'),
      'pdf/scripts/deep/run.sh*': '#!/bin/sh\n',
      'pdf/assets/a.bin': Uint8Array.of(0, 255, 13, 10),
      'notes/SKILL.md': skillMd('notes'),
    });
    expect(await contentOf(join(target.root, '.claude/skills'))).toEqual(await contentOf(expected));
  });

  test.each([
    ['claude', '.claude/skills', '.claude/skills'],
    ['opencode', '.claude/skills', '.claude/skills'],
    ['codex', '.agents/skills', '.agents/skills'],
    ['windsurf', '.windsurf/skills', '.codeium/windsurf/skills'],
    ['copilot', '.github/skills', '.copilot/skills'],
    ['goose', '.goose/skills', '.config/goose/skills'],
    ['amp', '.agents/skills', '.config/agents/skills'],
  ])('%s gets skills in %s and ~/%s', async (agent, project, user) => {
    const source = await rig.folderWith({ 'a/SKILL.md': skillMd('a') });
    const root = await rig.makeFolder();
    const dirs = await Promise.all(
      (['project', 'user'] as const).map((scope) =>
        planInstall({ agent, scope, root }, [at(join(source, 'a'))]),
      ),
    );
    expect(dirs.map(({ dir }) => dir)).toEqual([project, `~/${user}`]);
  });

  test('every agent of the table can be installed for, in a project and in a home', async () => {
    const source = await rig.folderWith({ 'a/SKILL.md': skillMd('a') });
    for (const { id } of agentTable) {
      for (const scope of ['project', 'user'] as const) {
        const root = await rig.makeFolder();
        await install(await planInstall({ agent: id, scope, root }, [at(join(source, 'a'))]));
        expect(await pathsIn(root)).toEqual([expect.stringMatching(/^\.[\w./]+\/skills\/a\/SKILL\.md$/)]);
      }
    }
    expect(agentTable.length).toBe(20);
  });
});

test.each([
  'path/traversal',
  'path\\x',
  '..evil',
  '.',
  '..',
  '',
  'abc\n',
  'ABC',
  'a--b',
  'a'.repeat(65),
  '技能',
])('case 35: the name %j is refused and nothing is written', async (name) => {
  const source = await rig.folderWith({ 'a/SKILL.md': skillMd('a') });
  const error = await refused([at(join(source, 'a'), { name })]);
  expect(error).toBeInstanceOf(SkillMountError);
  expect(error).toMatchObject({ reason: 'invalid_name', details: { reason: 'invalid_name', skill: name } });
});

test('case 14: a Unicode name is refused where it would be installed', async () => {
  const source = await rig.folderWith({ '技能/SKILL.md': skillMd('技能') });
  expect(await refused([at(join(source, '技能'))])).toBeInstanceOf(SkillMountError);
});

test('case 4: a directory without SKILL.md is no skill', async () => {
  const source = await rig.folderWith({ 'a/README.md': 'x', 'b/skill.md': skillMd('b') });
  for (const name of ['a', 'b']) {
    const error = await refused([at(join(source, name))]);
    expect(error).toBeInstanceOf(SkillValidationError);
    expect(error).toMatchObject({ reason: 'missing_skill_md' });
  }
});

test('case 36: two skills of one name are refused before any copy', async () => {
  const source = await rig.folderWith({ 'one/a/SKILL.md': skillMd('a'), 'two/a/SKILL.md': skillMd('a') });
  const sources = [at(join(source, 'one/a')), at(join(source, 'two/a'))];
  expect(await refused(sources)).toMatchObject({
    reason: 'duplicate',
    message: `Duplicate skill name "a": "${join(source, 'one/a')}" and "${join(source, 'two/a')}" both have it`,
  });
});

describe('case 37', () => {
  test('a missing source is not found, a stray file is no skill', async () => {
    const source = await rig.folderWith({ 'x.txt': 'x' });
    expect(await refused([at(join(source, 'none'))])).toBeInstanceOf(SkillNotFoundError);
    expect(await refused([at(join(source, 'x.txt'))])).toMatchObject({ reason: 'not_directory' });
  });

  test('a skill of 11 MiB and a SKILL.md of 2 MiB are too large', async () => {
    const source = await rig.folderWith({
      'a/SKILL.md': skillMd('a'),
      'a/big': Buffer.alloc(11 * 1024 * 1024),
      'b/SKILL.md': skillMd('b', 'd', 'x'.repeat(2 * 1024 * 1024)),
      'c.md': skillMd('c', 'd', 'x'.repeat(2 * 1024 * 1024)),
    });
    expect(await refused([at(join(source, 'a'))])).toMatchObject({
      reason: 'too_large',
      message: 'Skill "a" exceeds total size limit of 10 MiB',
    });
    expect(await refused([at(join(source, 'b'))])).toMatchObject({ reason: 'too_large' });
    expect(await refused([at(join(source, 'c.md'))])).toMatchObject({ reason: 'too_large' });
  });

  test('a failure in the middle takes everything back, also what was overwritten', async () => {
    const source = await rig.folderWith({
      'a/SKILL.md': skillMd('a'),
      'a/new/file.md': 'new',
      'b/SKILL.md': skillMd('b'),
      'b/z.md': 'z',
    });
    const target = await home();
    await rig.write(join(target.root, '.claude/skills'), { 'a/SKILL.md': 'old', 'a/own.md': 'the user’s' });
    const before = await contentOf(target.root);
    const plan = await planInstall(target, [at(join(source, 'a')), at(join(source, 'b'))]);
    // The last write fails for good: a folder stands where the file must go, after the preview was made.
    await mkdir(join(target.root, '.claude/skills/b'), { recursive: true });
    const broken = {
      ...plan.write,
      writes: plan.write.writes.map((w) => (w.path === 'b/SKILL.md' ? { ...w, path: 'b' } : w)),
    };
    await expect(install({ ...plan, write: broken })).rejects.toMatchObject({
      code: 'agent-skill.not-mounted',
    });
    expect(await contentOf(target.root)).toEqual([...before, '.claude/skills/b/'].sort());
  });

  test('a folder that cannot be written says that the copy failed', async () => {
    const source = await rig.folderWith({ 'a/SKILL.md': skillMd('a') });
    const target = await home();
    await writeFile(join(target.root, '.claude'), 'a file where a folder must be');
    await expect(planInstall(target, [at(join(source, 'a'))]).then(install)).rejects.toMatchObject({
      reason: 'io',
      message: expect.stringMatching(/^Failed to copy skill "a": /) as string,
    });
    expect(await pathsIn(target.root)).toEqual(['.claude']);
  });
});

describe('case 38', () => {
  test('a link inside is left out and told, and followed only on demand and only inside', async () => {
    const source = await rig.folderWith({
      'a/SKILL.md': skillMd('a'),
      'a/real.md': 'real',
      secret: 'secret',
    });
    await symlink(join(source, 'secret'), join(source, 'a/outside'));
    await symlink('real.md', join(source, 'a/inside'));
    await symlink('.', join(source, 'a/loop'));
    const target = await home();
    const plan = await planInstall(target, [at(join(source, 'a'))]);
    expect(plan.skills).toEqual([
      {
        name: 'a',
        origin: 'referenced',
        warnings: [],
        leftOut: ['inside', 'loop', 'outside'].map((path) => ({ path, why: 'it is a link' })),
      },
    ]);
    const following = await planInstall(target, [at(join(source, 'a'), { followLinks: true })]);
    expect(following.files.map(({ path }) => path)).toEqual(['a/inside', 'a/real.md', 'a/SKILL.md']);
  });

  test('a SKILL.md that is a link is an error', async () => {
    const source = await rig.folderWith({ 'a/real.md': skillMd('a') });
    await symlink('real.md', join(source, 'a/SKILL.md'));
    for (const followLinks of [false, true]) {
      const error = await refused([at(join(source, 'a'), { followLinks })]);
      expect(error).toMatchObject({ reason: 'missing_skill_md' });
    }
  });

  test('a linked skill folder is followed, and has the name of its frontmatter', async () => {
    const source = await rig.folderWith({ 'store/pdf/SKILL.md': skillMd('pdf') });
    await symlink(join(source, 'store/pdf'), join(source, 'alias'));
    const target = await home();
    await install(await planInstall(target, [at(join(source, 'alias'))]));
    expect(await pathsIn(target.root)).toEqual(['.claude/skills/pdf/SKILL.md']);
  });

  test('a hard link is an ordinary file here: package managers make them', async () => {
    const source = await rig.folderWith({ 'a/SKILL.md': skillMd('a'), store: 'x' });
    await link(join(source, 'store'), join(source, 'a/linked'));
    const plan = await planInstall(await home(), [at(join(source, 'a'))]);
    expect(plan.files.map(({ path }) => path)).toEqual(['a/linked', 'a/SKILL.md']);
  });
});

test('case 40: another name changes the folder and the frontmatter of the copy, and leaves the source alone', async () => {
  const text = '---\r\n# keep\r\nname: pdf\r\ndescription: d\r\n---\r\nBody\r\n';
  const source = await rig.folderWith({ 'pdf/SKILL.md': text });
  const target = await home();
  const plan = await planInstall(target, [at(join(source, 'pdf'), { name: 'pdf-tools' })]);
  expect(plan.skills).toMatchObject([{ name: 'pdf-tools', renamedFrom: 'pdf' }]);
  await install(plan);
  expect(await readFile(join(target.root, '.claude/skills/pdf-tools/SKILL.md'), 'utf8')).toBe(
    text.replace('name: pdf', 'name: pdf-tools'),
  );
  expect(await readFile(join(source, 'pdf/SKILL.md'), 'utf8')).toBe(text);
});

test('.git and __pycache__ stay behind', async () => {
  const source = await rig.folderWith({
    'a/SKILL.md': skillMd('a'),
    'a/.git/HEAD': 'x',
    'a/scripts/__pycache__/x.pyc': 'x',
    'a/scripts/x.py': 'x',
  });
  const plan = await planInstall(await home(), [at(join(source, 'a'))]);
  expect([plan.files.map(({ path }) => path), plan.skills[0]?.leftOut.map(({ path }) => path)]).toEqual([
    ['a/scripts/x.py', 'a/SKILL.md'],
    ['.git', 'scripts/__pycache__'],
  ]);
});

test('planInstall() says what is new, changed and the same; install() does exactly that', async () => {
  const source = await rig.folderWith({ 'a/SKILL.md': skillMd('a'), 'a/x.sh*': 'x', 'a/y': 'y', 'a/z': 'z' });
  const target = await home();
  const skills = join(target.root, '.claude/skills');
  await rig.write(skills, { 'a/x.sh': 'x', 'a/y': 'y', 'a/z': 'old', 'a/own': 'kept' });
  const plan = await planInstall(target, [at(join(source, 'a'))]);
  expect(plan.files).toEqual([
    { path: 'a/x.sh', operation: 'changed', size: 1, isExecutable: true },
    { path: 'a/y', operation: 'same', size: 1, isExecutable: false },
    { path: 'a/z', operation: 'changed', size: 1, isExecutable: false },
    { path: 'a/SKILL.md', operation: 'new', size: skillMd('a').length, isExecutable: false },
  ]);
  await install(plan);
  const again = await planInstall(target, [at(join(source, 'a'))]);
  expect(again.files.map(({ operation }) => operation)).toEqual(['same', 'same', 'same', 'same']);
  expect(await pathsIn(skills)).toContain('a/own');
});

test('install() refuses where the target changed since the preview', async () => {
  const source = await rig.folderWith({ 'a/SKILL.md': skillMd('a'), 'a/x': 'x' });
  const target = await home();
  const plan = await planInstall(target, [at(join(source, 'a'))]);
  await rig.write(join(target.root, '.claude/skills'), { 'a/SKILL.md': 'somebody else’s' });
  await expect(install(plan)).rejects.toMatchObject({ reason: 'changed' });
  expect(await pathsIn(target.root)).toEqual(['.claude/skills/a/SKILL.md']);
});

test('planInstall() refuses to write through a link of another installer', async () => {
  const source = await rig.folderWith({ 'a/SKILL.md': skillMd('a'), 'a/s/x': 'x', 'store/keep': 'x' });
  const target = await home();
  const skills = join(target.root, '.claude/skills');
  await mkdir(skills, { recursive: true });
  await symlink(join(source, 'store'), join(skills, 'a'));
  await expect(planInstall(target, [at(join(source, 'a'))])).rejects.toMatchObject({ reason: 'unsafe' });
  const other = await home();
  await mkdir(join(other.root, '.claude/skills/a'), { recursive: true });
  await symlink(join(source, 'store'), join(other.root, '.claude/skills/a/s'));
  await expect(planInstall(other, [at(join(source, 'a'))])).rejects.toMatchObject({ reason: 'unsafe' });
});

test('planInstall() refuses an agent that nobody knows and a home that is nowhere', async () => {
  const root = await rig.makeFolder();
  await expect(planInstall({ agent: 'clod', scope: 'user', root }, [])).rejects.toMatchObject({
    reason: 'not_found',
  });
  await expect(planInstall({ agent: 'claude', scope: 'user', root: '' }, [])).rejects.toMatchObject({
    reason: 'no_home',
  });
});

test('unreadable frontmatter is refused with every error', async () => {
  const source = await rig.folderWith({
    'a/SKILL.md': '---\nname: a\n---\n',
    'b/SKILL.md': 'no frontmatter',
  });
  for (const name of ['a', 'b']) {
    expect(await refused([at(join(source, name))])).toMatchObject({ reason: 'invalid_frontmatter' });
  }
});

test('a file that may not be read fails as input, not as a bug', async () => {
  if (process.getuid?.() === 0) return; // The superuser reads everything.
  const source = await rig.folderWith({ 'a/SKILL.md': skillMd('a'), 'a/x': 'x' });
  await chmod(join(source, 'a/x'), 0);
  expect(await refused([at(join(source, 'a'))])).toMatchObject({ reason: 'io' });
});
