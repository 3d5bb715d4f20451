import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { writeUnflushed } from './write-unflushed.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

test('writeUnflushed() replaces what is there, and leaves nothing beside what it cannot replace', async () => {
  const folder = await world.makeFolder();
  const [path, taken] = [join(folder, 'kept'), join(folder, 'taken')];
  mkdirSync(taken);
  writeFileSync(join(taken, 'inside'), '');
  for (const content of ['one', 'two']) writeUnflushed(path, content);
  expect(() => writeUnflushed(taken, 'three')).toThrow(/taken/);
  expect([readFileSync(path, 'utf8'), readdirSync(folder)]).toEqual(['two', ['kept', 'taken']]);
});
