import { execFileSync } from 'node:child_process';
import { symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { DiskWorld } from '../../testing/disk-world.ts';
import { readRegularFile } from './read-regular-file.ts';
import { readStateFile } from './state-file.ts';
import { readConfigText } from './user-config.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

const makers: Record<string, (path: string) => unknown> = {
  'is a pipe or a device, not a file': (path) => execFileSync('mkfifo', [path]),
  'is a folder, not a file': (path) => mkdir(path),
  'has more than 64 MiB': (path) => {
    writeFileSync(path, '');
    truncateSync(path, 2 ** 30);
  },
};

test.each(Object.keys(makers))('a file of the home that %s hangs nobody and says so', async (problem) => {
  const home = await world.makeFolder();
  const [config, state] = [join(home, 'config.yaml'), join(home, 'studio.json')];
  for (const path of [config, state]) await makers[problem]!(path);
  expect(() => readConfigText(home)).toThrow(`Cannot read "config.yaml": "${config}" ${problem}`);
  expect(await readStateFile(state, z.unknown())).toEqual({
    state: 'unreadable',
    problem: expect.stringContaining(`"${state}" ${problem}`) as string,
  });
});

test('readRegularFile() follows a link only where it may', async () => {
  const folder = await world.makeWorkspace({ text: 'a text' });
  symlinkSync(join(folder, 'text'), join(folder, 'link'));
  expect(readRegularFile(join(folder, 'link'))).toBe('a text');
  expect(() => readRegularFile(join(folder, 'link'), { followsLinks: false })).toThrow('ELOOP');
});
