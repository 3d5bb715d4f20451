import { fork } from 'node:child_process';
import { once } from 'node:events';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { ActionCache } from './action-cache.ts';
import { sampleEntry } from './testing/sample-entry.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

const worker = new URL('testing/cache-worker.mjs', import.meta.url);

/** Two processes that store, ask, count, check and write the index anew at the same time. */
async function runTwo(home: string, maxEntries: number): Promise<unknown[]> {
  const ranges = [
    [0, 200],
    [200, 400],
  ] as const;
  const children = ranges.map(([first, last]) =>
    fork(worker, [home, String(first), String(last), String(maxEntries)]),
  );
  await Promise.all(children.map((child) => once(child, 'message')));
  const reports = children.map(async (child) => ((await once(child, 'message')) as unknown[])[0]);
  const ends = children.map((child) => once(child, 'exit'));
  for (const child of children) child.send('go');
  const said = await Promise.all(reports);
  await Promise.all(ends);
  return said;
}

test('two processes that store and ask at once lose nothing', async () => {
  const home = await world.makeFolder();
  const fine = { wrong: [], warning: null };
  expect(await runTwo(home, 10_000)).toEqual([fine, fine]);
  const cache = ActionCache.open(home);
  const missing = Array.from({ length: 400 }, (_, number) => number).filter(
    (number) =>
      JSON.stringify(cache.find(sampleEntry(number).key)?.result) !==
      JSON.stringify(sampleEntry(number).result),
  );
  expect([missing, (await cache.stats()).misses, (await cache.verify()).damaged]).toEqual([[], 400, []]);
}, 180_000);

test('two processes that make room at once drop no more than they must, and answer rightly', async () => {
  const home = await world.makeFolder();
  const fine = { wrong: [], warning: null };
  expect(await runTwo(home, 100)).toEqual([fine, fine]);
  const cache = ActionCache.open(home, { maxEntries: 100 });
  const { checked, damaged } = await cache.verify();
  expect(damaged).toEqual([]);
  expect(checked).toBeGreaterThanOrEqual(60);
}, 180_000);
