import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { ownMark } from './process-mark.ts';
import { tryLock } from './try-lock.ts';

const world = new DiskWorld();
const worker = new URL('testing/lock-worker.mjs', import.meta.url);
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

test('the owner of a lock leaves one that another put in its place', async () => {
  const path = join(await world.makeFolder(), 'lock');
  const lock = tryLock(path)!;
  writeFileSync(path, 'another');
  lock[Symbol.dispose]();
  expect(readFileSync(path, 'utf8')).toBe('another');
});

test('of many processes that find a dead lock one alone takes it over', async () => {
  const folder = await world.makeFolder();
  const [path, inside, dead] = [
    join(folder, 'lock'),
    join(await world.makeFolder(), 'inside'),
    '999999999-1',
  ];
  writeFileSync(path, dead);
  const workers: ChildProcess[] = [];
  try {
    for (let i = 0; i < 6; i++) workers.push(fork(worker));
    await Promise.all(workers.map((child) => once(child, 'message')));
    const said = workers.map((child) => once(child, 'message') as Promise<[{ taken: number; lost: number }]>);
    for (const child of workers) child.send({ path, inside, dead, until: Date.now() + 3000 });
    const counts = (await Promise.all(said)).map(([count]) => count);
    const sum = (of: 'taken' | 'lost'): number => counts.reduce((all, count) => all + count[of], 0);
    expect({ lost: sum('lost'), isTakenOften: sum('taken') > 10, left: readdirSync(folder) }).toEqual({
      lost: 0,
      isTakenOften: true,
      left: ['lock'],
    });
  } finally {
    for (const child of workers) child.kill();
  }
}, 60_000);
