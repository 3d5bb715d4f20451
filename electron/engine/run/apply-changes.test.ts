import { createHash } from 'node:crypto';
import { chmod, mkdir, readFile, rename, stat, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { StudioError } from '#shared/errors.ts';
import { DiskWorld } from '../../testing/disk-world.ts';
import { applyChanges, reviewChanges } from './apply-changes.ts';
import type { ProposedChange } from './step-result.ts';

let world: DiskWorld;
let root: string;
beforeEach(async () => {
  world = new DiskWorld();
  root = await world.makeWorkspace({ 'same.txt': 'same', 'old.txt': 'old', 'gone.txt': 'gone' });
});
afterEach(() => world[Symbol.asyncDispose]());

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const write = (path: string, text: string, mode: 0o644 | 0o755 = 0o644): ProposedChange => ({
  operation: 'write',
  path,
  content: Buffer.from(text),
  sha256: sha256(text),
  mode,
});
const remove = (path: string): ProposedChange => ({ operation: 'delete', path });

function baseline(startedAt = new Date(0)) {
  const texts = { 'same.txt': 'same', 'old.txt': 'old', 'gone.txt': 'gone' };
  return {
    root,
    startedAt,
    files: new Map(Object.entries(texts).map(([path, text]) => [path, sha256(text)])),
  };
}

async function codeOf(work: Promise<unknown>): Promise<string> {
  const error: unknown = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof StudioError) return error.code;
  throw new Error(`Not refused: ${String(error)}`);
}

test('applyChanges() creates, updates and deletes what was reviewed, and leaves alone what is the same', async () => {
  const changes = await reviewChanges(root, [
    write('sub/new.sh', 'new', 0o755),
    write('old.txt', 'newer'),
    write('same.txt', 'same'),
    remove('gone.txt'),
    remove('never.txt'),
  ]);
  expect(changes.map(({ path, operation }) => `${operation} ${path}`)).toEqual([
    'delete gone.txt',
    'none never.txt',
    'update old.txt',
    'none same.txt',
    'create sub/new.sh',
  ]);
  expect(await applyChanges(baseline(), changes)).toEqual(['gone.txt', 'old.txt', 'sub/new.sh']);
  expect(await readFile(join(root, 'old.txt'), 'utf8')).toBe('newer');
  expect((await stat(join(root, 'sub/new.sh'))).mode & 0o777).toBe(0o755);
  await expect(stat(join(root, 'gone.txt'))).rejects.toThrow('ENOENT');
});

test('applyChanges() makes a file executable that is the same otherwise, and takes that back too', async () => {
  const modeOf = async (path: string): Promise<number> => (await stat(join(root, path))).mode & 0o777;
  await chmod(join(root, 'old.txt'), 0o640);
  const changes = await reviewChanges(root, [write('old.txt', 'old', 0o755), write('same.txt', 'same')]);
  expect(changes.map(({ operation, becomesExecutable }) => [operation, becomesExecutable])).toEqual([
    ['update', true],
    ['none', false],
  ]);
  const failing = await reviewChanges(root, [write('zone/x.txt', 'x')]);
  await writeFile(join(root, 'zone'), 'in the way');
  expect(await codeOf(applyChanges(baseline(), [...changes, ...failing]))).toBe('artifact.unwritable');
  expect(await modeOf('old.txt')).toBe(0o640);
  expect(await applyChanges(baseline(), changes)).toEqual(['old.txt']);
  expect(await modeOf('old.txt')).toBe(0o755);
  expect(await reviewChanges(root, [write('old.txt', 'old', 0o755)])).toMatchObject([{ operation: 'none' }]);
});

test('applyChanges() writes nothing when one of the files changed since the run started', async () => {
  await writeFile(join(root, 'old.txt'), 'theirs');
  const changes = await reviewChanges(root, [write('new.txt', 'new'), write('old.txt', 'mine')]);
  expect(await codeOf(applyChanges(baseline(), changes))).toBe('artifact.changed');
  expect(await readFile(join(root, 'old.txt'), 'utf8')).toBe('theirs');
  await expect(stat(join(root, 'new.txt'))).rejects.toThrow('ENOENT');
});

test('applyChanges() judges a file that scripts could not see by its time', async () => {
  await writeFile(join(root, 'ignored.txt'), 'x');
  await utimes(join(root, 'ignored.txt'), 0, 0);
  const changes = await reviewChanges(root, [write('ignored.txt', 'y')]);
  expect(await codeOf(applyChanges(baseline(new Date(0)), changes))).toBe('artifact.changed');
  expect(await applyChanges(baseline(new Date(Date.now() + 1000)), changes)).toEqual(['ignored.txt']);
});

test('applyChanges() refuses a file that changed between review and writing', async () => {
  const changes = await reviewChanges(root, [write('old.txt', 'mine')]);
  await writeFile(join(root, 'old.txt'), 'theirs');
  expect(await codeOf(applyChanges(baseline(), changes))).toBe('artifact.unwritable');
  expect(await readFile(join(root, 'old.txt'), 'utf8')).toBe('theirs');
});

test('applyChanges() does not make a workspace again that is gone', async () => {
  const changes = await reviewChanges(root, [write('new.txt', 'new')]);
  await rename(root, `${root}-moved`);
  await expect(applyChanges(baseline(), changes)).rejects.toMatchObject({
    code: 'artifact.unwritable',
    message: `Cannot write into "${root}": the workspace is no longer there. Nothing was written`,
  });
  await expect(stat(root)).rejects.toThrow('ENOENT');
  await rename(`${root}-moved`, root);
});

test('applyChanges() refuses a file that became a link after its review', async () => {
  const changes = await reviewChanges(root, [write('old.txt', 'mine')]);
  await rename(join(root, 'old.txt'), join(root, 'theirs.txt'));
  await symlink('theirs.txt', join(root, 'old.txt'));
  expect(await codeOf(applyChanges(baseline(), changes))).toBe('artifact.unwritable');
  expect(await readFile(join(root, 'theirs.txt'), 'utf8')).toBe('old');
});

test('applyChanges() leaves rights and folders as they were when a later file cannot be written', async () => {
  const changes = [
    ...(await reviewChanges(root, [write('a/b/new.txt', 'new'), write('old.txt', 'newer', 0o755)])),
    ...(await reviewChanges(root, [write('zone/x.txt', 'x')])),
  ];
  await writeFile(join(root, 'zone'), 'in the way');
  expect(await codeOf(applyChanges(baseline(), changes))).toBe('artifact.unwritable');
  expect((await stat(join(root, 'old.txt'))).mode & 0o777).toBe(0o644);
  await expect(stat(join(root, 'a'))).rejects.toThrow('ENOENT');
});

test('applyChanges() takes back what it wrote when a later file cannot be written', async () => {
  const changes = [
    ...(await reviewChanges(root, [
      write('a/new.txt', 'new'),
      write('old.txt', 'newer'),
      remove('gone.txt'),
    ])),
    ...(await reviewChanges(root, [write('zone/x.txt', 'x')])),
  ];
  await writeFile(join(root, 'zone'), 'in the way');
  await expect(applyChanges(baseline(), changes)).rejects.toMatchObject({
    code: 'artifact.unwritable',
    message: 'Cannot write "zone/x.txt": "zone" is not a folder. Nothing was written',
  });
  expect(await readFile(join(root, 'old.txt'), 'utf8')).toBe('old');
  expect(await readFile(join(root, 'gone.txt'), 'utf8')).toBe('gone');
  await expect(stat(join(root, 'a/new.txt'))).rejects.toThrow('ENOENT');
});

test('reviewChanges() names a file that cannot be looked at', async () => {
  // Too long for the system, which says that to everybody: root may read every file.
  const path = 'x'.repeat(300);
  const refused = reviewChanges(root, [write(path, 'x')]);
  expect(await codeOf(refused)).toBe('artifact.unwritable');
  await expect(refused).rejects.toThrow(
    /^Cannot compare what is proposed for "x+" with what is there: ENAMETOOLONG/,
  );
});

test.each(['link/a.txt', 'link-file', 'old.txt/a', 'folder', '.git/config', '../a'])(
  'reviewChanges() refuses "%s"',
  async (path) => {
    await mkdir(join(root, 'folder'));
    await symlink('/tmp', join(root, 'link'));
    await symlink('old.txt', join(root, 'link-file'));
    expect(await codeOf(reviewChanges(root, [write(path, 'x')]))).toBe('artifact.unsafe');
  },
);
