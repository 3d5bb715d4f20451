import { chmod, mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { asOrdinaryUser } from '../../testing/as-ordinary-user.ts';
import { DiskWorld } from '../../testing/disk-world.ts';
import { withFileLock } from './file-lock.ts';
import { writeFile } from './write-file.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

/** What a failure says, with what callers go by. */
async function failureOf(work: () => Promise<unknown>): Promise<unknown> {
  const { message, code } = await work().then(
    () => ({ message: 'It did not fail', code: undefined }),
    (error: NodeJS.ErrnoException) => error,
  );
  return { message, code };
}

test('writeFile() names the file that cannot be written, and no passing one', async () => {
  const root = await world.makeWorkspace({ 'closed/a.lens': 'old' });
  const [closed, folder, lost] = ['closed/a.lens', 'folder', 'gone/a.lens'].map((name) => join(root, name));
  await mkdir(folder!);
  await chmod(join(root, 'closed'), 0o555);
  const failures = [
    await failureOf(() => writeFile(folder!, 'new')),
    await failureOf(() => writeFile(lost!, 'new')),
    ...(await asOrdinaryUser(root, async () => [
      await failureOf(() => writeFile(closed!, 'new')),
      await failureOf(() => withFileLock(closed!, () => Promise.resolve())),
    ])),
  ];
  expect(failures).toEqual([
    { message: `EISDIR: illegal operation on a directory, rename '${folder}'`, code: 'EISDIR' },
    { message: `ENOENT: no such file or directory, open '${lost}'`, code: 'ENOENT' },
    { message: `EACCES: permission denied, open '${closed}'`, code: 'EACCES' },
    { message: `EACCES: permission denied, open '${closed}'`, code: 'EACCES' },
  ]);
  expect([await world.readFile(root, 'closed/a.lens'), await readdir(folder!)]).toEqual(['old', []]);
});
