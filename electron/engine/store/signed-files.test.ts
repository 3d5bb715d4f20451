import { afterEach, beforeEach, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { SignedFiles } from './signed-files.ts';

let world: DiskWorld;
beforeEach(() => void (world = new DiskWorld()));
afterEach(() => world[Symbol.asyncDispose]());

test('SignedFiles.read() gives only what the same key, build and name wrote', async () => {
  const mine = {
    folder: await world.makeFolder(),
    key: Buffer.alloc(32, 1),
    build: 'a',
    maxFiles: 2,
    maxBytes: 1000,
  };
  new SignedFiles(mine).write('n', 'text');
  expect(new SignedFiles(mine).read('n')?.toString()).toBe('text');
  expect(new SignedFiles({ ...mine, key: Buffer.alloc(32, 2) }).read('n')).toBeUndefined();
  expect(new SignedFiles({ ...mine, build: 'b' }).read('n')).toBeUndefined();
  expect(new SignedFiles(mine).read('m')).toBeUndefined();
});

test('SignedFiles.write() leaves out what is too large, and drops the oldest', async () => {
  const folder = await world.makeFolder();
  const files = new SignedFiles({ folder, key: Buffer.alloc(32), build: 'a', maxFiles: 2, maxBytes: 1000 });
  files.write('large', 'x'.repeat(251));
  expect(files.read('large')).toBeUndefined();
  for (const name of ['a', 'b', 'c']) files.write(name, name);
  const kept = ['a', 'b', 'c'].filter((name) => files.read(name));
  expect([kept.length, kept.includes('c')]).toEqual([2, true]);
});

test('SignedFiles.write() on a disk that refuses keeps nothing and says nothing', () => {
  const files = new SignedFiles({
    folder: '/dev/null/x',
    key: Buffer.alloc(32),
    build: 'a',
    maxFiles: 2,
    maxBytes: 1000,
  });
  files.write('n', 'text');
  expect(files.read('n')).toBeUndefined();
});
