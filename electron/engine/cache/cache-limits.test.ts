import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { ActionCache } from './action-cache.ts';
import { LimitsReader } from './cache-limits.ts';
import { sampleEntry } from './testing/sample-entry.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

const day = 24 * 60 * 60 * 1000;

async function makeHome(config: string): Promise<{ home: string; configure: (text: string) => void }> {
  const home = await world.makeFolder();
  const configure = (text: string) => writeFileSync(join(home, 'config.yaml'), text);
  configure(config);
  return { home, configure };
}

test('a cache keeps as much as config.yaml says, also when that changes while it is open', async () => {
  const { home, configure } = await makeHome('cache: {max_bytes: 8KB}\n');
  using cache = ActionCache.open(home);
  const fill = async () => {
    for (let number = 0; number < 40; number++) cache.put(sampleEntry(number));
    await cache.settled();
    cache.flush();
    return cache.stats();
  };
  const small = await fill();
  expect(small.maxBytes).toBe(8000);
  expect(small.bytes).toBeLessThanOrEqual(8000);
  configure('cache: {max_bytes: 1MB}\n');
  expect(await fill()).toMatchObject({ entries: 40, maxBytes: 1e6 });
  configure('');
  expect(await cache.stats()).toMatchObject({ maxBytes: 2 * 1024 ** 3 });
});

test('a cache keeps unused results for as long as config.yaml says', async () => {
  const { home } = await makeHome('cache:\n  max_age: 60d\n');
  const clock = { now: Date.UTC(2026, 0, 1) };
  const open = () => ActionCache.open(home, { now: () => clock.now });
  const pass = async (days: number) => {
    clock.now += days * day;
    using cache = open();
    cache.flush();
    return (await cache.stats()).entries;
  };
  {
    using cache = open();
    cache.put(sampleEntry(1));
  }
  expect([await pass(50), await pass(11)]).toEqual([1, 0]);
});

test('known() knows the usual limits without reading YAML, and no others before read()', async () => {
  const { home, configure } = await makeHome('default_model: a\n');
  const limits = new LimitsReader(home, { maxEntries: 5 });
  expect(limits.known()).toMatchObject({ maxBytes: 2 * 1024 ** 3, maxEntries: 5 });
  configure('cache: {max_bytes: 1GB}\n');
  expect(limits.known()).toBe(undefined);
  await limits.read();
  expect([limits.known(), limits.last]).toMatchObject([{ maxBytes: 1e9 }, { maxBytes: 1e9 }]);
});

test('a configuration that cannot be read leaves the limits as they were', async () => {
  const { home, configure } = await makeHome('cache: {max_bytes: 9GB}\n');
  const limits = new LimitsReader(home, {});
  await limits.read();
  configure('cache: {max_bytes: 9G\n');
  expect(await limits.read()).toMatchObject({ maxBytes: 9e9 });
});
