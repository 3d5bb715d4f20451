import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { findDesktop, openBrowser } from './launch.ts';

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sunwell-launch-'));
  await writeFile(join(folder, 'electron'), '#!/bin/sh\n');
  await writeFile(join(folder, 'xdg-open'), `#!/bin/sh\necho "$1" > "${folder}/opened"\n`);
  for (const file of ['electron', 'xdg-open']) await chmod(join(folder, file), 0o755);
});
afterAll(() => rm(folder, { recursive: true }));

test('findDesktop() wants a binary and a display, and says which is missing', () => {
  const found = (environment: NodeJS.ProcessEnv) =>
    findDesktop('/nowhere', { platform: 'linux', environment });
  const binary = { ELECTRON_OVERRIDE_DIST_PATH: folder };
  expect([
    found({ DISPLAY: ':0' }),
    found(binary),
    found({ ...binary, DISPLAY: ':0' }),
    found({ ...binary, WAYLAND_DISPLAY: 'wayland-0' }),
  ]).toEqual([
    { problem: 'Electron’s binary is not installed' },
    { problem: 'there is no display' },
    { binary: join(folder, 'electron') },
    { binary: join(folder, 'electron') },
  ]);
});

test('openBrowser() hands the address over where there is a display and an opener, and only there', async () => {
  const address = 'http://127.0.0.1:1/?code=x';
  const open = (environment: NodeJS.ProcessEnv) => openBrowser(address, { platform: 'linux', environment });
  expect([
    await open({ PATH: folder }),
    await open({ PATH: '/nowhere', DISPLAY: ':0' }),
    await open({ PATH: `${folder}:/bin:/usr/bin`, DISPLAY: ':0' }),
  ]).toEqual([false, false, true]);
  await expect.poll(() => readFile(join(folder, 'opened'), 'utf8').catch(() => '')).toBe(`${address}\n`);
});
