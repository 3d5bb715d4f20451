import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chmod, readFile, readdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

const worker = new URL('testing/key-worker.mjs', import.meta.url);

/** The key as another process sees it: a process remembers its own. */
async function keyInNewProcess(home: string): Promise<string> {
  vi.resetModules();
  const { installKey } = await import('./install-key.ts');
  return installKey(home).toString('hex');
}

test('installKey() makes one key for the home and keeps it to the user', async () => {
  const home = join(await world.makeFolder(), 'home');
  const key = await keyInNewProcess(home);
  expect(await keyInNewProcess(home)).toBe(key);
  expect({
    files: await readdir(home),
    bytes: (await readFile(join(home, 'install.key'))).toString('hex'),
    mode: (await stat(join(home, 'install.key'))).mode & 0o777,
  }).toEqual({ files: ['install.key'], bytes: key, mode: 0o600 });
});

test.each(['', 'short', 'x'.repeat(33)])('installKey() replaces a damaged key of %j', async (text) => {
  const home = await world.makeWorkspace({ 'install.key': text });
  const key = await keyInNewProcess(home);
  expect(key).toHaveLength(64);
  expect(await keyInNewProcess(home)).toBe(key);
});

test('installKey() takes no key through a link', async () => {
  const home = await world.makeFolder();
  const elsewhere = join(await world.makeFolder(), 'known');
  await writeFile(elsewhere, 'k'.repeat(32));
  await symlink(elsewhere, join(home, 'install.key'));
  expect(await keyInNewProcess(home)).not.toBe(Buffer.from('k'.repeat(32)).toString('hex'));
  expect(await readFile(elsewhere, 'utf8')).toBe('k'.repeat(32));
});

test('installKey() closes a key that others may read', async () => {
  const home = await world.makeFolder();
  const key = await keyInNewProcess(home);
  await chmod(join(home, 'install.key'), 0o644);
  expect(await keyInNewProcess(home)).toBe(key);
  expect((await stat(join(home, 'install.key'))).mode & 0o777).toBe(0o600);
});

test('installKey() gives a key for this process where the home cannot be made', async () => {
  const folder = await world.makeWorkspace({ home: 'a file' });
  expect(await keyInNewProcess(join(folder, 'home'))).toHaveLength(64);
});

describe('processes that start at once', () => {
  const workers: ChildProcess[] = [];
  beforeAll(async () => {
    for (let i = 0; i < 4; i++) workers.push(fork(worker));
    await Promise.all(workers.map((child) => once(child, 'message')));
  });
  afterAll(() => workers.forEach((child) => child.kill()));

  test.each([undefined, 'damaged'])('have the same key where there was %j', async (text) => {
    for (let round = 0; round < 50; round++) {
      const home = await world.makeWorkspace(text === undefined ? {} : { 'install.key': text });
      const said = workers.map((child) => once(child, 'message'));
      for (const child of workers) child.send(home);
      const keys = (await Promise.all(said)).map(([key]) => key as string);
      const kept = (await readFile(join(home, 'install.key'))).toString('hex');
      expect([keys, await readdir(home)]).toEqual([[kept, kept, kept, kept], ['install.key']]);
    }
  });
});
