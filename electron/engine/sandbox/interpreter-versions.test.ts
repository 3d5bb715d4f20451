import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { InterpreterVersions } from './interpreter-versions.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

test.each([
  ['Python 3.14.0rc1', '3.14.0rc1'],
  ['Python 3.10.14 (39dc8d3c85a7, Aug 27 2024, 14:33:33)', '3.10.14 (39dc8d3c85a7, Aug 27 2024, 14:33:33)'],
  [
    'GNU bash, version 5.2.15(1)-release (x86_64-pc-linux-gnu)\nCopyright (C) 2022',
    '5.2.15(1)-release (x86_64-pc-linux-gnu)',
  ],
  ['v20.18.0', '20.18.0'],
  ['no number', undefined],
])('An interpreter that says %j has version %j', async (said, version) => {
  const folder = await world.makeFolder();
  const path = join(folder, 'program');
  await writeFile(path, `#!/bin/sh\nprintf '%s\\n' '${said}'\n`);
  await chmod(path, 0o755);
  const interpreter = { path } as Parameters<InterpreterVersions['of']>[0];
  expect(await new InterpreterVersions(folder).of(interpreter)).toBe(version);
  expect(await new InterpreterVersions(folder).of(interpreter)).toBe(version);
});
