import { mkdir, readdir, rm, symlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { CliRig } from '../testing/cli-rig.ts';

let rig: CliRig;
beforeEach(async () => {
  rig = await CliRig.make({ 'work/a.lens': 'metadata: { name: A, version: 1.0.0 }\n' });
});
afterEach(() => rig[Symbol.asyncDispose]());

/** Puts a link to itself in its place, which nobody can read, root included. */
async function makeUnreadable(path: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true });
  await rm(path, { recursive: true, force: true });
  await symlink(path, path);
}

test('a run that cannot be read is said to be so, and another one is shown', async () => {
  await rig.run(['apply', 'a.lens']);
  await rig.run(['apply', 'a.lens']);
  const runs = join(rig.folder, 'home/runs');
  const folder = join(runs, (await readdir(runs))[0]!);
  const [bad, good] = (await readdir(folder)).filter((name) => name !== 'history.jsonl').sort();
  await makeUnreadable(join(folder, bad!, 'journal.jsonl'));
  for (const words of [['show'], ['export', '--html', 'a.html'], ['diff', good!], ['resume']]) {
    const [command = '', ...more] = words;
    const { exitCode, stderr } = await rig.run(['run', command, bad!, ...more]);
    expect([exitCode, stderr]).toEqual([
      1,
      expect.stringMatching(`^Cannot read run "${bad!}": ELOOP: .*journal.jsonl'\n$`),
    ]);
  }
  await rm(join(folder, 'history.jsonl'));
  expect((await rig.run(['run', 'show', good!])).exitCode).toBe(0);
});

test('a plan says, as a run does, that the cache cannot be used', async () => {
  await makeUnreadable(join(rig.folder, 'home/cache'));
  const [planned, again] = [
    await rig.run(['lens', 'skill-plan', 'a.lens']),
    await rig.run(['lens', 'skill-plan', 'a.lens', '--json']),
  ];
  const warning = /^Cannot use the cache in ".*", so that skills run again: ".*" is a link or a file\n$/;
  expect([planned.exitCode, planned.stderr, again.stderr]).toEqual([
    0,
    expect.stringMatching(warning),
    expect.stringMatching(warning),
  ]);
});

test('a history that cannot be read is not an empty one', async () => {
  await makeUnreadable(join(rig.folder, 'home/runs'));
  const { exitCode, stdout, stderr } = await rig.run(['run', 'list']);
  expect([exitCode, stdout, stderr]).toEqual([
    1,
    '',
    expect.stringMatching(/^Cannot read the history of runs: ELOOP: /),
  ]);
});
