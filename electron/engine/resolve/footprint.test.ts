import { utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { changedTexts, Footprint, otherTexts, withStamps } from './footprint.ts';

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

test('withStamps() puts what changed first, and leaves all else as it was', async () => {
  const { root, footprint } = await heldAs('a', 'b');
  writeFileSync(join(root, 'b'), 'changed\n');
  const [changed] = (await changedTexts(footprint.record, key, ask))!;
  const { looked, ...others } = withStamps(footprint.record, [changed!]);
  const { looked: before, ...same } = footprint.record;
  expect(Object.entries(looked)).toEqual([
    [join(root, 'b'), changed!.stamp],
    [join(root, 'a'), before[join(root, 'a')]],
  ]);
  expect(others).toEqual(same);
});

test('otherTexts() names the held texts that differ, and nothing where anything else does', async () => {
  const { root, footprint } = await heldAs('first', 'second');
  const before = footprint.record;
  const [a, b] = [join(root, 'a'), join(root, 'b')];
  const other = before.looked[b]!.replace(/:\d+:/, ':99:');
  const now = { ...before, looked: { ...before.looked, [b]: other } };
  expect(otherTexts(before, before, before.held)).toEqual(new Set());
  expect(otherTexts(before, now, before.held)).toEqual(new Set(['second']));
  expect(otherTexts(before, now, { [a]: 'first' })).toBeUndefined();
  for (const stamp of ['missing', 'EACCES', `41471:1:1:1:1:1→${other}`]) {
    const looked = { ...before.looked, [b]: stamp };
    expect(otherTexts(before, { ...before, looked }, before.held)).toBeUndefined();
    expect(otherTexts({ ...before, looked }, before, before.held)).toBeUndefined();
  }
  const { [b]: _b, ...fewer } = before.looked;
  expect(otherTexts({ ...before, looked: fewer }, before, before.held)).toBeUndefined();
  expect(otherTexts(before, { ...before, looked: fewer }, before.held)).toBeUndefined();
  expect(otherTexts(before, { ...before, real: { [root]: '/elsewhere' } }, before.held)).toBeUndefined();
  expect(
    otherTexts(before, { ...before, answers: { '["environment","A"]': 'x' } }, before.held),
  ).toBeUndefined();
});
