import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { withFileLock } from './file-lock.ts';
import { ownMark } from './process-mark.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

test.each<[string, (path: string) => unknown]>([
  ['a folder', (path) => mkdirSync(path)],
  ['a link into nowhere', (path) => symlinkSync('/nowhere/at-all', path)],
  ['a pipe', (path) => execFileSync('mkfifo', [path])],
])('withFileLock() refuses %s in place of the lock', async (_case, make) => {
  const file = join(await world.makeFolder(), 'grants.json');
  make(`${file}.lock`);
  await expect(withFileLock(file, () => Promise.resolve())).rejects.toMatchObject({
    code: 'home.bad-lock',
    message: expect.stringMatching(/grants\.json\.lock.*delete it if no other Sunwell is at work$/) as string,
  });
});

test('withFileLock() names who has a lock and does not give it back', async () => {
  const file = join(await world.makeFolder(), 'grants.json');
  writeFileSync(`${file}.lock`, ownMark());
  await expect(withFileLock(file, () => Promise.resolve(), { patienceMs: 30 })).rejects.toMatchObject({
    code: 'home.locked',
    message: `Cannot get the lock "${file}.lock": process ${process.pid} has it; wait for it or end it, and delete the lock if no Sunwell works there any more`,
  });
});
