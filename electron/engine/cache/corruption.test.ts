import {
  appendFileSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { digestOf } from '../store/digest.ts';
import { ActionCache } from './action-cache.ts';
import { LineSigner } from './cache-line.ts';
import { sampleEntry } from './testing/sample-entry.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

const numbers = Array.from({ length: 30 }, (_, number) => number);

test('10,000 random corruptions give misses, never a wrong result and never an error', async () => {
  const home = await world.makeFolder();
  const folder = join(home, 'cache/v1');
  const random = generator(20_260_101);
  const tally = { right: 0, missed: 0 };
  for (let round = 0; round < 250; round++) {
    heal(home);
    const healed = ActionCache.open(home);
    expect(numbers.filter((number) => check(healed, number, round) === 'missed')).toEqual([]);
    healed[Symbol.dispose]();
    const files = filesOf(folder).filter((path) => !path.includes('/aside/'));
    for (let corruption = 0; corruption < 40; corruption++) corrupt(files, random);
    const cache = ActionCache.open(home);
    for (const number of numbers) tally[check(cache, number, round)]++;
    cache.flush();
    const next = ActionCache.open(home);
    for (const number of numbers) check(next, number, round);
    next[Symbol.dispose]();
    if (round % 25 === 0) await cache.verify();
    cache[Symbol.dispose]();
  }
  // Both must happen, or nothing was tried.
  expect(tally.right).toBeGreaterThan(1000);
  expect(tally.missed).toBeGreaterThan(1000);
}, 180_000);

test('a result that was found damaged is set aside, and is kept again by the next run', async () => {
  const home = await world.makeFolder();
  heal(home);
  const file = filesOf(join(home, 'cache/v1/blobs')).find((path) =>
    readFileSync(path, 'utf8').includes('content 3'),
  )!;
  writeFileSync(file, readFileSync(file, 'utf8').replace('content 3', 'content 4'));
  expect(ActionCache.open(home).find(sampleEntry(3).key)).toBe(undefined);
  expect(readdirSync(join(home, 'cache/v1/aside')).length).toBe(1);
  const cache = ActionCache.open(home);
  cache.put(sampleEntry(3));
  expect(ActionCache.open(home).find(sampleEntry(3).key)?.result).toEqual(sampleEntry(3).result);
});

test('entries that another program plants without the key of this installation are misses', async () => {
  const [home, other] = [await world.makeFolder(), await world.makeFolder()];
  heal(home);
  const planted = sampleEntry(99);
  const foreign = ActionCache.open(other);
  foreign.put(planted);
  foreign[Symbol.dispose]();
  await cp(join(other, 'cache/v1/blobs'), join(home, 'cache/v1/blobs'), { recursive: true });
  const index = join(home, 'cache/v1/index');
  appendFileSync(index, readFileSync(join(other, 'cache/v1/index')));
  // A seal for everything, made with a key of one's own.
  const all = readFileSync(index);
  const seal = { t: 'seal', bytes: all.length, digest: digestOf(all), least: 0 } as const;
  appendFileSync(index, `\n${new LineSigner(Buffer.alloc(32)).sign(seal)}\n`);
  const cache = ActionCache.open(home);
  expect(cache.find(planted.key)).toBe(undefined);
  for (const number of numbers) expect(check(cache, number, 0)).toBe('right');
  cache.flush();
  expect(readFileSync(index, 'utf8')).not.toContain(planted.key);
  for (const number of numbers) expect(check(ActionCache.open(home), number, 0)).toBe('right');
});

test('two entries whose files are swapped are both misses', async () => {
  const home = await world.makeFolder();
  heal(home);
  const files = filesOf(join(home, 'cache/v1/blobs'));
  const [a, b] = [1, 2].map((n) =>
    files.find((path) => readFileSync(path, 'utf8').includes(`content ${n}"`))!,
  );
  const [bytesOfA, bytesOfB] = [readFileSync(a!), readFileSync(b!)];
  writeFileSync(a!, bytesOfB);
  writeFileSync(b!, bytesOfA);
  const cache = ActionCache.open(home);
  expect(numbers.filter((number) => check(cache, number, 0) === 'missed')).toEqual([1, 2]);
});

/** Puts back what is missing, as runs would. */
function heal(home: string): void {
  const cache = ActionCache.open(home);
  for (const number of numbers) if (!cache.find(sampleEntry(number).key)) cache.put(sampleEntry(number));
  cache[Symbol.dispose]();
}

/** A result is exactly what was put, or not there; so is everything else that can be asked for. */
function check(cache: ActionCache, number: number, round: number): 'right' | 'missed' {
  const entry = sampleEntry(number);
  const [contentHash, bytes] = [...entry.artifacts][0]!;
  const hit = cache.find(entry.key);
  const artifact = cache.artifact(contentHash);
  const past = cache.nearest(entry.workspace, entry.skillId);
  const text = cache.text(digestOf(`print(${number})`));
  const isRight =
    (!hit || JSON.stringify(hit.result) === JSON.stringify(entry.result)) &&
    (!artifact || Buffer.compare(artifact, bytes) === 0) &&
    (!past || past.key === entry.key) &&
    (text === undefined || text === `print(${number})`);
  if (!isRight) expect.fail(`Round ${round}: wrong answer for ${number}`);
  return hit ? 'right' : 'missed';
}

/** Does one bad thing to one or two files of the cache. */
function corrupt(files: readonly string[], random: (below: number) => number): void {
  const index = files.find((file) => file.endsWith('/index'));
  const path = (random(50) === 0 ? index : undefined) ?? files[random(files.length)]!;
  const other = files[random(files.length)]!;
  if (!isFile(path) || !isFile(other)) return;
  const bytes = readFileSync(path);
  switch (random(9)) {
    case 0: {
      const at = random(bytes.length || 1);
      bytes[at] = (bytes[at] ?? 0) ^ (1 << random(8));
      return writeFileSync(path, bytes);
    }
    case 1:
      return truncateSync(path, random(bytes.length + 1));
    case 2:
      return truncateSync(path, 0);
    case 3:
      return appendFileSync(path, Buffer.alloc(1 + random(40), random(256)));
    case 4: {
      const theirs = readFileSync(other);
      writeFileSync(other, bytes);
      return writeFileSync(path, theirs);
    }
    case 5:
      return appendFileSync(
        index && isFile(index) ? index : path,
        `\n${'x'.repeat(43)} {"t":"put","key":"${'0'.repeat(64)}"}\n`,
      );
    case 6: {
      const lines = bytes.toString('latin1').split('\n');
      [lines[0], lines[random(lines.length)]] = [lines[random(lines.length)]!, lines[0]!];
      return writeFileSync(path, lines.join('\n'), 'latin1');
    }
    case 7:
      rmSync(path);
      return path.endsWith('index') ? undefined : void mkdirSync(path);
    default:
      if (path === other || statSync(other).size === 0) return;
      rmSync(path);
      return symlinkSync(other, path);
  }
}

function isFile(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isFile() === true;
}

function filesOf(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('corrupt'))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** A small seeded generator of whole numbers. */
function generator(seed: number): (below: number) => number {
  let state = seed;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((state >>> 0) / 2 ** 32) * below);
  };
}
