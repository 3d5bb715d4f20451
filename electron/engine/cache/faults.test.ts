import * as realFs from 'node:fs';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { ActionCache } from './action-cache.ts';
import { sampleEntry } from './testing/sample-entry.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());
afterEach(() => faults.clear());

/** Calls of the file system, counted; the one with the chosen number fails. */
const faults = vi.hoisted(() => {
  const state = { calls: 0, failing: -1, code: '', isFull: false };
  return {
    state,
    clear: () => Object.assign(state, { calls: 0, failing: -1, code: '', isFull: false }),
    fillDisk: () => Object.assign(state, { isFull: true }),
    arm: (failing: number, code: string) => Object.assign(state, { calls: 0, failing, code }),
    /** Throws when it is this call's turn; a short write is told to the caller instead. */
    hit: (name: string): boolean => {
      if (state.isFull && (name === 'writeSync' || name === 'writeFileSync'))
        throw Object.assign(new Error(`ENOSPC: injected, ${name}`), { code: 'ENOSPC' });
      if (state.calls++ !== state.failing) return false;
      if (state.code === 'short') return name === 'writeSync';
      throw Object.assign(new Error(`${state.code}: injected, ${name}`), { code: state.code });
    },
  };
});

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof realFs>();
  const names = [
    'openSync',
    'writeSync',
    'readSync',
    'readFileSync',
    'writeFileSync',
    'renameSync',
    'linkSync',
  ];
  const more = ['mkdirSync', 'statSync', 'lstatSync', 'fstatSync', 'utimesSync', 'readdirSync', 'chmodSync'];
  const table = real as unknown as Record<string, (...words: unknown[]) => unknown>;
  const wrapped = [...names, ...more].map((name) => [
    name,
    (...words: unknown[]) => {
      if (!faults.hit(name)) return table[name]!(...words);
      const [fd, bytes, at] = words as [number, Buffer, number | undefined];
      return real.writeSync(fd, bytes, at ?? 0, Math.floor((bytes.length - (at ?? 0)) / 2));
    },
  ]);
  return { ...real, ...(Object.fromEntries(wrapped) as Partial<typeof realFs>) };
});

/** All that writes: storing, counting, dropping, writing the index anew. */
async function work(home: string): Promise<ActionCache> {
  const cache = ActionCache.open(home, { maxEntries: 4 });
  const hit = cache.find(sampleEntry(1).key);
  if (hit) cache.noteHit(hit);
  cache.put(sampleEntry(3));
  cache.noteFailure(sampleEntry(4));
  cache.flush();
  await cache.verify();
  return cache;
}

async function filledHome(): Promise<string> {
  const home = await world.makeFolder();
  const cache = ActionCache.open(home);
  for (const number of [1, 2]) cache.put(sampleEntry(number));
  cache[Symbol.dispose]();
  return home;
}

test.each(['ENOSPC', 'EIO', 'EACCES', 'EMFILE', 'EROFS', 'EDQUOT', 'short'])(
  'whichever call fails with %s, nothing is thrown, nothing is wrong and what was kept stays',
  async (code) => {
    const template = await filledHome();
    faults.arm(-1, code);
    await work(await copyOf(template));
    const calls = faults.state.calls;
    faults.clear();
    expect(calls).toBeGreaterThan(50);
    for (let failing = 0; failing < calls; failing++) {
      const home = await copyOf(template);
      faults.arm(failing, code);
      const cache = await work(home);
      faults.clear();
      const warnings = [cache.takeWarning(), cache.takeWarning()];
      expect(warnings[1]).toBe(undefined);
      cache[Symbol.dispose]();
      const later = ActionCache.open(home);
      for (const number of [1, 2, 3]) {
        const found = later.find(sampleEntry(number).key);
        if (number < 3 || found)
          expect([failing, found?.result]).toEqual([failing, sampleEntry(number).result]);
      }
      later.put(sampleEntry(3));
      expect([failing, later.takeWarning()]).toEqual([failing, undefined]);
      expect(ActionCache.open(home).find(sampleEntry(3).key)?.result).toEqual(sampleEntry(3).result);
      later[Symbol.dispose]();
    }
  },
  180_000,
);

test('on a full disk all results are cleared without writing, and others notice', async () => {
  const home = await copyOf(await filledHome());
  const other = ActionCache.open(home);
  expect(other.find(sampleEntry(1).key)).toBeDefined();
  const cache = ActionCache.open(home);
  cache.noteHit(cache.find(sampleEntry(2).key)!);
  faults.fillDisk();
  expect([await cache.clear(), cache.list(), cache.takeWarning()]).toEqual([2, [], undefined]);
  expect(realFs.readdirSync(join(home, 'cache', 'v1')).filter((name) => /^(index|blobs)/.test(name))).toEqual(
    [],
  );
  cache[Symbol.dispose]();
  faults.clear();
  expect(other.list()).toEqual([]);
  other.put(sampleEntry(3));
  expect([other.takeWarning(), ActionCache.open(home).find(sampleEntry(3).key)?.result]).toEqual([
    undefined,
    sampleEntry(3).result,
  ]);
  other[Symbol.dispose]();
});

test('on a full disk a part of the results is not cleared, which is said with a way out', async () => {
  const home = await copyOf(await filledHome());
  using cache = ActionCache.open(home);
  faults.fillDisk();
  await expect(cache.clear({ skill: 'skill-1' })).rejects.toMatchObject({
    code: 'cache.unwritable',
    message: expect.stringMatching(/ENOSPC.*; delete the folder ".*" to clear it by hand$/) as string,
  });
  faults.clear();
  expect(cache.list()).toHaveLength(2);
});

/** A copy under another name, with its key already read: a process that cannot read its key has a cache that is empty. */
async function copyOf(template: string): Promise<string> {
  const home = join(await world.makeFolder(), 'home');
  realFs.cpSync(template, home, { recursive: true });
  ActionCache.open(home)[Symbol.dispose]();
  return home;
}
