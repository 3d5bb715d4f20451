import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { ActionCache } from '#engine/cache/action-cache.ts';
import { sampleEntry } from '#engine/cache/testing/sample-entry.ts';
import { CliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
let home: string;
beforeEach(async () => {
  rig = await CliRig.make({ 'work/a.lens': 'metadata: { name: A, version: 1.0.0 }\n' });
  home = join(rig.folder, 'home');
  const cache = ActionCache.open(home);
  for (const number of [1, 2]) cache.put(sampleEntry(number));
  cache.noteHit(cache.find(sampleEntry(1).key)!);
  cache[Symbol.dispose]();
});
afterEach(() => rig[Symbol.asyncDispose]());

async function json(...words: string[]): Promise<{ exitCode: number; document: unknown }> {
  const { exitCode, stdout } = await rig.run([...words, '--json']);
  return { exitCode, document: JSON.parse(stdout) as unknown };
}

test('cache stats prints the numbers of 8-cli.md and by day', async () => {
  const { document, exitCode } = await json('cache', 'stats');
  expect(exitCode).toBe(0);
  expect(document).toMatchObject({ entries: 2, hits: 1, misses: 2, hitRate: 1 / 3, savedMs: 11 });
  const { stdout } = await rig.run(['cache', 'stats']);
  expect(stdout).toMatch(
    /^2 results, .* of 2\.0 GB\n1 used, 2 run: 33 % came from the cache\n11 ms saved\n$/,
  );
});

test('cache stats tells the limit that the user set', async () => {
  writeFileSync(join(home, 'config.yaml'), 'cache: { max_bytes: 3GB }\n');
  expect((await json('cache', 'stats')).document).toMatchObject({ entries: 2, maxBytes: 3e9 });
});

test('cache list and show find a result by its skill and by the beginning of its key', async () => {
  const { key } = sampleEntry(2);
  const listed = await json('cache', 'list', '--skill', 'skill-2');
  expect(listed.document).toMatchObject([{ key, skill: 'lenses/a.lens:skill-2', kind: 'action', hits: 0 }]);
  const shown = await json('cache', 'show', key.slice(0, 10));
  expect(shown.document).toMatchObject({ key, content: 'content 2', outputs: { out: { number: 2 } } });
  const { stdout } = await rig.run(['cache', 'show', key]);
  expect(stdout).toContain('\nOutputs\n  out: {"number":2}\n');
  expect((await rig.run(['cache', 'list'])).stdout).toContain(key.slice(0, 12));
});

test('cache show refuses a key that nothing has', async () => {
  expect(await json('cache', 'show', 'nothing')).toEqual({
    exitCode: 2,
    document: {
      error: {
        code: 'cache.no-entry',
        message: 'Cannot find a result with the key "nothing": "sunwell cache list" prints the keys',
        details: { key: 'nothing' },
      },
    },
  });
});

test('cache clear drops what is meant', async () => {
  expect((await json('cache', 'clear', '--older', '7d')).document).toMatchObject({ cleared: 0, entries: 2 });
  expect((await rig.run(['cache', 'clear', '--skill', 'skill-1'])).stdout).toBe('Dropped 1 result\n');
  expect((await json('cache', 'clear')).document).toMatchObject({ cleared: 1, entries: 0, bytes: 0 });
  expect((await rig.run(['cache', 'clear', '--older', 'soon'])).exitCode).toBe(2);
});

test('cache verify ends with 1 when something was damaged', async () => {
  expect((await json('cache', 'verify')).document).toMatchObject({ checked: 2, damaged: [] });
  const blob = readdirSync(join(home, 'cache/v1/blobs'), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
    .find((path) => readFileSync(path, 'utf8').includes('content 1'))!;
  writeFileSync(blob, 'x');
  expect(await json('cache', 'verify')).toMatchObject({
    exitCode: 1,
    document: { checked: 2, damaged: [sampleEntry(1).key] },
  });
  expect((await json('cache', 'verify')).exitCode).toBe(0);
});
