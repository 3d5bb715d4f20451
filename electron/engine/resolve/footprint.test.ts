import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { changedTexts, Footprint } from './footprint.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

const key = Buffer.from('key');
const ask = (): Promise<undefined> => Promise.resolve(undefined);

/** Two files that were read for their text, under these names. */
async function heldAs(first: string, second: string): Promise<{ root: string; footprint: Footprint }> {
  const root = await world.makeWorkspace({ a: 'a\n', b: 'b\n' });
  const footprint = new Footprint(key);
  for (const [path, name] of [
    ['a', first],
    ['b', second],
  ] as const) {
    footprint.stamp(join(root, path));
    footprint.hold(join(root, path), name);
  }
  return { root, footprint };
}

test('changedTexts() returns the text of a file that was only held', async () => {
  const { root, footprint } = await heldAs('a', 'b');
  writeFileSync(join(root, 'b'), 'changed\n');
  expect(await changedTexts(footprint.record, key, ask)).toMatchObject([{ file: 'b', text: 'changed\n' }]);
});

test('changedTexts() returns nothing to put in place of a text that was also read', async () => {
  const { root, footprint } = await heldAs('a', 'b');
  footprint.look(join(root, 'b'));
  writeFileSync(join(root, 'b'), 'changed\n');
  expect(await changedTexts(footprint.record, key, ask)).toBeUndefined();
});

test('changedTexts() does not mistake two files of one name for each other', async () => {
  const { root, footprint } = await heldAs('same', 'same');
  writeFileSync(join(root, 'b'), 'changed\n');
  expect(await changedTexts(footprint.record, key, ask)).toBeUndefined();
});

test('changedTexts() says of a text that just changed that it is not certain', async () => {
  const { root, footprint } = await heldAs('a', 'b');
  writeFileSync(join(root, 'b'), 'changed\n');
  const later = Date.now() / 1000 + 60;
  utimesSync(join(root, 'b'), later, later);
  expect(await changedTexts(footprint.record, key, ask)).toMatchObject([{ isCertain: false }]);
});
