import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { bundleSource } from '../../testing/bundle-source.mjs';
import { DiskWorld } from '../../testing/disk-world.ts';
import { ActionCache } from './action-cache.ts';
import type { LiveReport, LiveWork } from './testing/live-cache.ts';
import { sampleEntry } from './testing/sample-entry.ts';

const world = new DiskWorld();
const children: ChildProcess[] = [];
let program: string;
beforeAll(async () => {
  const file = new URL('testing/live-cache.ts', import.meta.url).pathname;
  program = await bundleSource(file, await world.makeFolder());
});
afterEach(() => Promise.all(children.splice(0).map(end)));
afterAll(() => world[Symbol.asyncDispose]());

const fine: LiveReport = { missing: [], warning: null };
const numbers = (first: number, last: number) => Array.from({ length: last - first }, (_, i) => first + i);

/** Another process that has the cache open. */
async function start(home: string, options: Parameters<typeof ActionCache.open>[1] = {}) {
  const child = fork(program, [home, JSON.stringify(options)]);
  children.push(child);
  await once(child, 'message');
  const work = async (wanted: LiveWork): Promise<LiveReport> => {
    const report = once(child, 'message');
    child.send(wanted);
    return ((await report) as [LiveReport])[0];
  };
  return { work, end: () => end(child) };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exit = once(child, 'exit');
  child.kill('SIGKILL');
  await exit;
}

/** Which of these results a new process would find. */
function kept(home: string, wanted: readonly number[]): number[] {
  using cache = ActionCache.open(home);
  return wanted.filter((number) => cache.find(sampleEntry(number).key));
}

test('sixteen processes that store 100 results each at once lose and tear nothing', async () => {
  const home = await world.makeFolder();
  const writers = await Promise.all(numbers(0, 16).map(() => start(home)));
  const reports = await Promise.all(
    writers.map(({ work }, i) => {
      const own = numbers(i * 100, (i + 1) * 100);
      return work({ put: own, find: own, isFlushed: true });
    }),
  );
  expect(reports).toEqual(writers.map(() => fine));
  const all = numbers(0, 1600);
  expect(kept(home, all)).toEqual(all);
  const cache = ActionCache.open(home);
  // Not told of an index with lines that are not whole.
  expect(cache.standing(all.map((number) => sampleEntry(number).key))?.results.length).toBe(1600);
  expect([(await cache.stats()).misses, (await cache.verify()).damaged]).toEqual([1600, []]);
}, 120_000);

test('making room takes nothing that another living process just used or stored', async () => {
  const home = await world.makeFolder();
  using cache = ActionCache.open(home, { maxEntries: 10 });
  for (const number of numbers(0, 4)) cache.put(sampleEntry(number));
  const other = await start(home);
  expect(await other.work({ use: [0, 1], put: [100, 101] })).toEqual(fine);
  for (const number of numbers(4, 20)) cache.put(sampleEntry(number));
  cache.flush();
  const theirs = [0, 1, 100, 101];
  expect(kept(home, theirs)).toEqual(theirs);
  expect(kept(home, numbers(2, 12))).toEqual([]);
  await other.end();
  for (const number of numbers(20, 30)) cache.put(sampleEntry(number));
  cache.flush();
  expect(kept(home, theirs)).toEqual([]);
}, 60_000);

test('a process that stores more than there may be makes room among its own', async () => {
  const home = await world.makeFolder();
  const others = await Promise.all([0, 1].map(() => start(home, { maxEntries: 20 })));
  for (const [i, { work }] of others.entries()) {
    expect(await work({ put: numbers(i * 100, i * 100 + 50), isFlushed: true })).toEqual(fine);
  }
  expect(kept(home, numbers(0, 200)).length).toBeLessThanOrEqual(20);
});
