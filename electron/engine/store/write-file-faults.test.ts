import { spawnSync } from 'node:child_process';
import type * as realFs from 'node:fs/promises';
import { chmod, readdir, readFile, stat, symlink, writeFile as put } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, expect, test, vi } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { writeFile } from './write-file.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());
afterEach(() => faults.arm(-1, ''));

/** Calls of the file system, counted; the one with the chosen number fails. */
const faults = vi.hoisted(() => {
  const state = { calls: [] as string[], failing: -1, code: '' };
  return {
    state,
    arm: (failing: number, code: string) => Object.assign(state, { calls: [], failing, code }),
    hit: (name: string) => {
      state.calls.push(name);
      if (state.calls.length - 1 !== state.failing) return;
      const error = new Error(`${state.code}: injected, ${name}`);
      throw Object.assign(error, { code: state.code, syscall: name });
    },
  };
});

vi.mock('node:fs/promises', async (importOriginal) => {
  const real = await importOriginal<typeof realFs>();
  const counted = <Target extends object>(target: Target, names: readonly string[]): Target =>
    new Proxy(target, {
      get: (_target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const call = (...words: unknown[]): unknown => Reflect.apply(value, target, words);
        if (!names.includes(String(name))) return call;
        return async (...words: unknown[]) => {
          // Closed for real all the same: the test needs its handles back.
          const done = name === 'close' ? await call() : undefined;
          faults.hit(String(name));
          return name === 'close' ? done : call(...words);
        };
      },
    });
  const open = async (...words: Parameters<typeof real.open>) => {
    faults.hit('open');
    return counted(await real.open(...words), ['chown', 'chmod', 'writeFile', 'sync', 'close']);
  };
  return { ...real, ...counted({ rename: real.rename, stat: real.stat }, ['rename', 'stat']), open };
});

const old = 'old\n'.repeat(1000);
const fresh = 'new\n'.repeat(3000);
const codes = ['ENOSPC', 'EIO', 'EDQUOT', 'EMFILE', 'EROFS', 'EACCES'];

test.each(codes)(
  'whichever call fails with %s, a file is whole, old or new, and nothing is left beside it',
  async (code) => {
    const root = await world.makeWorkspace({ 'a.lens': old });
    const path = join(root, 'a.lens');
    faults.arm(-1, code);
    await writeFile(path, fresh);
    const names = [...faults.state.calls];
    expect(names).toEqual([
      'stat',
      'open',
      'chown',
      'chmod',
      'writeFile',
      'sync',
      'close',
      'rename',
      'open',
      'sync',
      'close',
    ]);
    for (const [failing, name] of names.entries()) {
      await put(path, old);
      faults.arm(failing, code);
      const failure = await writeFile(path, fresh).then(
        () => undefined,
        (error: NodeJS.ErrnoException) => ({ code: error.code, message: error.message }),
      );
      faults.arm(-1, '');
      const isNew = (await readFile(path, 'utf8')) === fresh;
      const isOld = (await readFile(path, 'utf8')) === old;
      const told = { code, message: `${code}: injected, ${name} '${path}'` };
      expect([failing, name, failure, isNew || isOld, await readdir(root)]).toEqual([
        failing,
        name,
        told,
        true,
        ['a.lens'],
      ]);
      // A folder that could not be flushed has the new file, of which nobody knows whether it survives the power.
      expect([name, isNew]).toEqual([name, failing > names.indexOf('rename')]);
    }
  },
);

test('writeFile() keeps rights and owner, follows a link, and the later of two calls stays', async () => {
  const root = await world.makeWorkspace({ 'run.sh': 'old' });
  const path = join(root, 'run.sh');
  await chmod(path, 0o750);
  const { uid, gid } = await stat(path);
  await symlink('run.sh', join(root, 'link'));
  await Promise.all([writeFile(path, 'one'), writeFile(join(root, 'link'), 'two'), writeFile(path, 'three')]);
  const after = await stat(path);
  expect([after.mode & 0o7777, after.uid, after.gid]).toEqual([0o750, uid, gid]);
  expect([await readFile(path, 'utf8'), (await readdir(root)).sort()]).toEqual(['three', ['link', 'run.sh']]);
  await writeFile(path, 'four', { mode: 0o600 });
  expect((await stat(path)).mode & 0o7777).toBe(0o600);
});

test.skipIf(process.getuid?.() !== 0 || process.platform !== 'linux')(
  'a disk that is full keeps the old file whole, and says so',
  async ({ skip }) => {
    const folder = await world.makeFolder();
    const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder]);
    // As root of a container one often may not.
    if (status !== 0) return skip('no disk of a size of its own can be made here');
    try {
      const path = join(folder, 'big.txt');
      const before = 'a'.repeat(180_000);
      await writeFile(path, before);
      await expect(writeFile(path, 'b'.repeat(2_000_000))).rejects.toMatchObject({ code: 'ENOSPC', path });
      expect([(await readFile(path, 'utf8')) === before, await readdir(folder)]).toEqual([true, ['big.txt']]);
    } finally {
      spawnSync('umount', [folder]);
    }
  },
);
