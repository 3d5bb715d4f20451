import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../testing/disk-world.ts';
import { Engine } from './engine.ts';
import type { Host } from './host.ts';
import { decided, leaveHalfWritten } from './run/apply/testing/leave-half-written.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

const host: Host = {
  kind: 'test',
  start: undefined,
  async *events() {
    // Nothing is said in this test.
  },
};

test('a window that opens a workspace is told what a killed process left half written there', async () => {
  const place = { home: await world.makeFolder(), root: await world.makeWorkspace({ 'old.txt': 'old' }) };
  await leaveHalfWritten(place, [decided('old.txt', 'old', 'new'), decided('last.txt', undefined, 'last')]);
  const resources = join(import.meta.dirname, '../../resources');
  await using engine = await Engine.start({ home: place.home, resources });
  const { takenBack } = await engine.open({ from: 'folder', folder: place.root }, host);
  expect(takenBack).toBe('Run "r1" was killed while its files were written: 1 file is as before');
  expect(await world.readFile(place.root, 'old.txt')).toBe('old');
});
