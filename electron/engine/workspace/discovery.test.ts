import { chmod, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { asOrdinaryUser } from '../../testing/as-ordinary-user.ts';
import { DiskWorld } from '../../testing/disk-world.ts';
import { classify, defaultLimits, discover } from './discovery.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

test('classify() knows a file by its place and name', () => {
  const kinds = [
    'a.lens',
    'deep/b.lens.yaml',
    'x.skills.yaml',
    'skills/core.yaml',
    'team/skills/core.yml',
    'skills/deep/other.yaml',
    'skills/pdf/SKILL.md',
    '.claude/skills/pdf/SKILL.md',
    'docs/SKILL.md',
    'lens.yaml',
    'skills.yaml',
  ].map((file) => [file, classify(file)]);
  expect(Object.fromEntries(kinds)).toEqual({
    'a.lens': 'lens',
    'deep/b.lens.yaml': 'lens',
    'x.skills.yaml': 'library',
    'skills/core.yaml': 'library',
    'team/skills/core.yml': 'library',
    'skills/deep/other.yaml': undefined,
    'skills/pdf/SKILL.md': 'agent-skill',
    '.claude/skills/pdf/SKILL.md': 'agent-skill',
    'docs/SKILL.md': undefined,
    'lens.yaml': undefined,
    'skills.yaml': undefined,
  });
});

test('discover() leaves out dependencies and version control, and follows no link', async () => {
  const root = await world.makeWorkspace({
    'a.lens': '',
    '.git/b.lens': '',
    'node_modules/c.lens': '',
    '.agents/skills/d/SKILL.md': '',
    'docs/readme.md': '',
  });
  await symlink(root, join(root, 'loop'));
  expect(await discover(root)).toEqual({
    files: ['a.lens', '.agents/skills/d/SKILL.md'],
    leftOut: undefined,
  });
});

test('discover() stops at its bounds and says what was left out', async () => {
  const root = await world.makeWorkspace({ 'a.lens': '', 'b.lens': '', 'x/y/c.lens': '' });
  expect(await discover(root, { ...defaultLimits, entries: 1 })).toEqual({
    files: ['a.lens'],
    leftOut: 'Only the first 1 lenses, libraries and skills are listed',
  });
  expect(await discover(root, { ...defaultLimits, depth: 1 })).toEqual({
    files: ['a.lens', 'b.lens'],
    leftOut: 'Folders more than 1 deep were left out',
  });
  expect((await discover(root, { ...defaultLimits, visited: 2 })).leftOut).toBe(
    'Only the first 2 files and folders were looked at',
  );
});

test('discover() says which folder cannot be read', async () => {
  const root = await world.makeWorkspace({ 'a.lens': '', 'locked/b.lens': '' });
  await chmod(join(root, 'locked'), 0);
  expect(await asOrdinaryUser(root, () => discover(root))).toEqual({
    files: ['a.lens'],
    leftOut: '"locked" cannot be read and was left out',
  });
  await chmod(join(root, 'locked'), 0o700);
});
