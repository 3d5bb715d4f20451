import { cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
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

test('SignedFiles.read() gives nothing in a copy of its folder, where what it tells of is elsewhere', async () => {
  const options = { key: Buffer.alloc(32), build: 'a', maxFiles: 2, maxBytes: 1000 };
  const folder = await world.makeFolder();
  new SignedFiles({ ...options, folder }).write('n', 'text');
  const copy = join(await world.makeFolder(), 'copy');
  cpSync(folder, copy, { recursive: true, preserveTimestamps: true });
  expect(new SignedFiles({ ...options, folder: copy }).read('n')).toBeUndefined();
  expect(new SignedFiles({ ...options, folder }).read('n')?.toString()).toBe('text');
});

test('SignedFiles.read() gives nothing of a file in which a bit is another, or that was cut or made longer', async () => {
  const folder = await world.makeFolder();
  const files = new SignedFiles({ folder, key: Buffer.alloc(32), build: 'a', maxFiles: 2, maxBytes: 1000 });
  files.write('n', 'a text of some length');
  const path = join(folder, readdirSync(folder)[0]!);
  const whole = readFileSync(path);
  const damage = fc.oneof(
    fc.tuple(fc.nat(whole.length - 1), fc.nat(7)).map(([at, bit]) => {
      const flipped = Buffer.from(whole);
      flipped[at]! ^= 1 << bit;
      return flipped;
    }),
    fc.nat(whole.length - 1).map((length) => whole.subarray(0, length)),
    fc.uint8Array({ minLength: 1, maxLength: 20 }).map((more) => Buffer.concat([whole, more])),
  );
  fc.assert(
    fc.property(damage, (bytes) => {
      writeFileSync(path, bytes);
      expect(files.read('n')).toBeUndefined();
    }),
    { numRuns: 500 },
  );
  writeFileSync(path, whole);
  expect(files.read('n')?.toString()).toBe('a text of some length');
});

test('SignedFiles.write() takes the place of what is there, signed anew each time', async () => {
  const folder = await world.makeFolder();
  const files = new SignedFiles({ folder, key: Buffer.alloc(32), build: 'a', maxFiles: 2, maxBytes: 1000 });
  const signatures = ['first', 'second', 'second'].map((text) => {
    files.write('n', text);
    expect(files.read('n')?.toString()).toBe(text);
    expect(readdirSync(folder)).toHaveLength(1);
    return readFileSync(join(folder, readdirSync(folder)[0]!)).toString('hex', 0, 32);
  });
  expect(new Set(signatures).size).toBe(3);
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
