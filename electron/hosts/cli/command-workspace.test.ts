import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { decided, leaveHalfWritten } from '#engine/run/apply/testing/leave-half-written.ts';
import { CliRig } from './testing/cli-rig.ts';

test('a command takes back what a killed process left half written, and says so once', async () => {
  await using rig = await CliRig.make({ 'work/old.txt': 'old' });
  const place = { home: join(rig.folder, 'home'), root: join(rig.folder, 'work') };
  await leaveHalfWritten(place, [decided('old.txt', 'old', 'new'), decided('last.txt', undefined, 'last')]);
  const told = 'Run "r1" was killed while its files were written: 1 file is as before\n';
  expect(await rig.run(['run', 'list', '--json'])).toEqual({ exitCode: 0, stdout: '[]\n', stderr: told });
  expect(await readFile(join(place.root, 'old.txt'), 'utf8')).toBe('old');
  expect((await rig.run(['run', 'list', '--json'])).stderr).toBe('');
});
