import { fork } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { ownMark } from './process-mark.ts';
import { tryLock } from './try-lock.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

test('tryLock() gives a lock to one at a time and leaves nothing behind', async () => {
  const folder = await world.makeFolder();
  const path = join(folder, 'lock');
  const lock = tryLock(path);
  expect([lock === undefined, tryLock(path), readdirSync(folder)]).toEqual([false, undefined, ['lock']]);
  lock![Symbol.dispose]();
  expect([tryLock(path) === undefined, readdirSync(folder)]).toEqual([false, ['lock']]);
});

test('tryLock() takes over from a process that died, not from one that lives', async () => {
  const path = join(await world.makeFolder(), 'lock');
  const child = fork('/dev/null', { silent: true });
  await once(child, 'exit');
  writeFileSync(path, `${child.pid}-1`);
  expect(tryLock(path)).not.toBe(undefined);
  writeFileSync(path, ownMark());
  expect(tryLock(path)).toBe(undefined);
});

test('tryLock() throws where no lock can be made', () => {
  expect(() => tryLock(join('/nowhere', 'lock'))).toThrow('ENOENT');
});
