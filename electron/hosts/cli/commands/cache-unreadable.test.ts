import type * as realFs from 'node:fs';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ActionCache } from '#engine/cache/action-cache.ts';
import { sampleEntry } from '#engine/cache/testing/sample-entry.ts';
import { CliRig } from '../testing/cli-rig.ts';

/** Which files the system refuses to open, as it does for an ordinary user; to root it refuses none. */
const refusal = vi.hoisted(() => ({ of: '' }));

vi.mock('node:fs', async (importOriginal) => {
  const real = await importOriginal<typeof realFs>();
  const openSync: typeof real.openSync = (path, ...more) => {
    if (refusal.of === '' || !String(path).includes(refusal.of)) return real.openSync(path, ...more);
    throw Object.assign(new Error(`EACCES: permission denied, open '${String(path)}'`), { code: 'EACCES' });
  };
  return { ...real, openSync };
});

let rig: CliRig;
let home: string;
beforeEach(async () => {
  rig = await CliRig.make({ 'work/a.lens': 'metadata: { name: A, version: 1.0.0 }\n' });
  home = join(rig.folder, 'home');
  const cache = ActionCache.open(home);
  cache.put(sampleEntry(1));
  cache[Symbol.dispose]();
});
afterEach(async () => {
  refusal.of = '';
  await rig[Symbol.asyncDispose]();
});

test('cache verify counts what cannot be read, ends with 1 and leaves it where it is', async () => {
  const { key } = sampleEntry(1);
  const blobs = () => readdirSync(join(home, 'cache/v1/blobs'), { recursive: true }).length;
  const before = blobs();
  refusal.of = '/cache/v1/blobs/';
  const checked = await rig.run(['cache', 'verify']);
  expect([checked.exitCode, checked.stdout]).toEqual([
    1,
    expect.stringMatching(
      new RegExp(
        `^${key.slice(0, 12)} cannot be read\n1 result checked, 0 damaged, 1 unreadable, .* kept\n$`,
      ),
    ),
  ]);
  refusal.of = '';
  const { exitCode, stdout } = await rig.run(['cache', 'verify', '--json']);
  expect([exitCode, JSON.parse(stdout), blobs()]).toMatchObject([
    0,
    { checked: 1, damaged: [], unreadable: [] },
    before,
  ]);
});

test('cache show says of a result that it cannot be read', async () => {
  const { key } = sampleEntry(1);
  refusal.of = '/cache/v1/blobs/';
  const { exitCode, stderr } = await rig.run(['cache', 'show', key.slice(0, 12)]);
  expect([exitCode, stderr]).toEqual([1, `Cannot read the result with the key "${key}"\n`]);
});
