import {
  chmod,
  mkdir,
  readdir,
  readFile,
  rename,
  stat,
  symlink,
  truncate,
  writeFile,
} from 'node:fs/promises';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { listFiles } from '../../workspace/discovery.ts';
import { walkWorkspace } from '../../sandbox/stage/walk.ts';
import { DiskWorld } from '../../../testing/disk-world.ts';
import { ownMark } from '../../store/process-mark.ts';
import { workspaceKey } from '../workspace-key.ts';
import { Applying } from './applying.ts';
import { isApplyLeft, takeBackKilled } from './take-back-killed.ts';
import { decided, leaveHalfWritten } from './testing/leave-half-written.ts';

let world: DiskWorld;
let place: { home: string; root: string };
beforeEach(async () => {
  world = new DiskWorld();
  place = {
    home: await world.makeFolder(),
    root: await world.makeWorkspace({ 'old.txt': 'old', 'b.txt': 'b' }),
  };
});
afterEach(() => world[Symbol.asyncDispose]());

const changes = [
  decided('made/new.txt', undefined, 'new'),
  decided('old.txt', 'old', 'newer'),
  decided('b.txt', 'b', undefined),
  decided('last.txt', undefined, 'last'),
];
const inRoot = (path: string): string => join(place.root, path);
const history = (): string => join(place.home, 'runs', workspaceKey(place.root));
const said = (what: string): string => `Run "r1" was killed while its files were written: ${what}`;

test('takeBackKilled() puts back what was there, removes what was made for it, and says so once', async () => {
  await chmod(inRoot('old.txt'), 0o750);
  await leaveHalfWritten(place, changes);
  expect(await readdir(place.root)).toHaveLength(3);
  expect(await takeBackKilled(place)).toBe(said('3 files are as before'));
  expect([await readdir(place.root), await readFile(inRoot('old.txt'), 'utf8')]).toEqual([
    ['b.txt', 'old.txt'],
    'old',
  ]);
  expect((await stat(inRoot('old.txt'))).mode & 0o777).toBe(0o750);
  expect([isApplyLeft(place), await takeBackKilled(place)]).toEqual([false, undefined]);
});

test('a passing file of a killed process is shown to no script and to no page', async () => {
  await leaveHalfWritten(place, changes);
  const { files, blocked } = await walkWorkspace(place.root, { withIgnored: true });
  expect([files.map(({ path }) => path), blocked.length]).toEqual([['made/new.txt', 'old.txt'], 1]);
  expect(await listFiles(place.root)).toEqual(['old.txt', 'made/new.txt']);
});

test('takeBackKilled() leaves alone what a living process writes', async () => {
  const dead = await leaveHalfWritten(place, changes);
  await rename(dead, dead.replace(/4194999-1/, ownMark()));
  expect(await takeBackKilled(place)).toBeUndefined();
  expect(await readFile(inRoot('old.txt'), 'utf8')).toBe('newer');
});

test('takeBackKilled() never writes through a link or over a folder that took the place of a file', async () => {
  await leaveHalfWritten(place, changes);
  const outside = await world.makeWorkspace({ 'new.txt': 'new' });
  await rename(inRoot('made'), join(outside, 'moved'));
  await symlink(outside, inRoot('made'));
  await mkdir(inRoot('b.txt'));
  expect(await takeBackKilled(place)).toBe(
    said('1 file is as before; left as they are, because they changed since: "made/new.txt", "b.txt"'),
  );
  expect(await readFile(join(outside, 'new.txt'), 'utf8')).toBe('new');
});

test('takeBackKilled() tries again what could not be put back', async () => {
  await leaveHalfWritten(place, changes);
  // A folder that cannot be removed by unlink, in the place of the passing file: refused to root, too.
  const [passing = ''] = (await readdir(place.root)).filter((name) => name.startsWith('.'));
  await rename(inRoot(passing), inRoot('aside'));
  await mkdir(inRoot(passing));
  expect(await takeBackKilled(place)).toMatch(
    /: 3 files are as before; not all could be put back, which is tried again: "last.txt": E/,
  );
  await rename(inRoot(passing), inRoot('gone'));
  expect([await takeBackKilled(place), isApplyLeft(place)]).toEqual([undefined, false]);
});

test('takeBackKilled() forgets an intent that was not written to its end, and sets aside a damaged one', async () => {
  const torn = await leaveHalfWritten(place, changes);
  await truncate(torn, (await stat(torn)).size - 1);
  expect([await takeBackKilled(place), isApplyLeft(place)]).toEqual([undefined, false]);
  expect(await readFile(inRoot('old.txt'), 'utf8')).toBe('newer');

  const other = await leaveHalfWritten(place, [
    decided('old.txt', 'newer', 'newest'),
    decided('x', undefined, 'x'),
  ]);
  await writeFile(other, 'no JSON\n');
  expect(await takeBackKilled(place)).toMatch(
    /^A run was killed .* it is kept as ".*\/applying\.corrupt-[0-9a-f]{16}"$/,
  );
  expect([isApplyLeft(place), (await readdir(history())).length]).toEqual([false, 1]);
});

test('takeBackKilled() waits for a workspace that is away', async () => {
  await leaveHalfWritten(place, changes);
  await rename(place.root, `${place.root}-away`);
  expect([await takeBackKilled(place), isApplyLeft(place)]).toEqual([undefined, true]);
  await rename(`${place.root}-away`, place.root);
  expect(await takeBackKilled(place)).toBe(said('3 files are as before'));
});

test('Applying keeps nothing once it ends, and refuses to begin where it cannot keep what is there', async () => {
  const run = { history: history(), run: 'r1' };
  const applying = await Applying.begin(place.root, changes, run);
  for (const change of changes) await applying.write(change);
  expect(isApplyLeft(place)).toBe(true);
  await applying.end();
  expect([isApplyLeft(place), await readdir(place.root)]).toEqual([false, ['last.txt', 'made', 'old.txt']]);

  await writeFile(join(history(), 'applying'), 'in the way');
  await expect(Applying.begin(place.root, [decided('x', undefined, 'x')], run)).rejects.toMatchObject({
    code: 'artifact.unwritable',
    message: expect.stringMatching(
      /^Cannot write: what is there now cannot be kept .*\. Nothing was written$/,
    ) as string,
  });
});

test('Applying does not end where another process took it for dead', async () => {
  const applying = await Applying.begin(place.root, changes, { history: history(), run: 'r1' });
  for (const change of changes) await applying.write(change);
  const [name = ''] = await readdir(join(history(), 'applying'));
  await rename(
    join(history(), 'applying', name),
    join(history(), 'applying', name.replace(ownMark(), '4194999-1')),
  );
  expect(await takeBackKilled(place)).toBe(said('4 files are as before'));
  await expect(applying.end()).rejects.toThrow('another process took it back meanwhile');
});
