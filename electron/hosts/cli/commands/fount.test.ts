import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { TestRegistry } from '../../../testing/test-registry.ts';
import { CliRig } from '../testing/cli-rig.ts';

const skills = { 'docs.skills.yaml': 'skills: [{ name: read, description: d, instructions: i }]\n' };
let registry: TestRegistry;

beforeAll(async () => {
  registry = await TestRegistry.start();
});
afterAll(() => registry[Symbol.asyncDispose]());

function makeRig(files: Record<string, string> = {}): Promise<CliRig> {
  return CliRig.make({ 'home/config.yaml': `founts: { default: "${registry.url}" }\n`, ...files });
}

test('sunwell fount add pins a version that lenses then use; update takes a newer one; outdated tells', async () => {
  await registry.publish('docs', '1.0.0', skills);
  await using rig = await makeRig({
    'work/a.lens':
      'metadata: { name: A, version: 1.0.0 }\nskills: [{ name: read, source: "fount://docs@^1.0.0:read" }]\n',
  });
  const [before, added, again] = [
    await rig.run(['validate', 'a.lens']),
    await rig.run(['fount', 'add', 'docs@^1.0.0']),
    await rig.run(['fount', 'add', 'docs@^1.0.0']),
  ];
  expect([before.exitCode, before.stdout.includes('library.not-found'), added, again]).toEqual([
    1,
    true,
    { exitCode: 0, stdout: 'fount://docs@^1.0.0: 1.0.0\n', stderr: '' },
    { exitCode: 0, stdout: 'fount://docs@^1.0.0: 1.0.0 is already pinned\n', stderr: '' },
  ]);
  expect((await rig.run(['validate', 'a.lens'])).stdout).toBe('No problems in 1 file\n');
  expect((await rig.run(['skills', 'show', 'read'])).stdout).toContain('fount://docs@1.0.0:read');

  await registry.publish('docs', '1.1.0', skills);
  const news = await rig.run(['fount', 'outdated']);
  const frozen = await rig.run(['fount', 'update', '--frozen']);
  expect([news, frozen.exitCode, frozen.stderr]).toEqual([
    {
      exitCode: 0,
      stdout:
        'FOUNT                LOCKED  UPDATE  LATEST  STATE\n' +
        'fount://docs@^1.0.0  1.0.0   1.1.0   –       update-available\n',
      stderr: '',
    },
    1,
    expect.stringContaining('Cannot change sunwell.lock with --frozen') as string,
  ]);
  expect(await readFile(join(rig.folder, 'work/sunwell.lock'), 'utf8')).toContain('version: 1.0.0');
  expect((await rig.run(['fount', 'update', 'docs'])).stdout).toBe('fount://docs@^1.0.0: 1.0.0 → 1.1.0\n');
  expect((await rig.run(['fount', 'update'])).stdout).toBe('fount://docs@^1.0.0: 1.1.0 is up to date\n');
});

test('sunwell fount outdated fails for a fount that a lens uses and the lock lacks', async () => {
  await using rig = await makeRig({
    'work/a.lens': 'metadata: { name: A, version: 1.0.0 }\nextends: fount://base@^1.0.0\n',
  });
  const ran = await rig.run(['fount', 'outdated', '--json']);
  expect([ran.exitCode, JSON.parse(ran.stdout)]).toEqual([
    1,
    [{ request: 'fount://base@^1.0.0', package: 'base', range: '^1.0.0', state: 'not-in-lock' }],
  ]);
});

test('sunwell fount add --json prints what changed', async () => {
  await registry.publish('machine', '2.0.0', skills);
  await using rig = await makeRig();
  const ran = await rig.run(['fount', 'add', 'machine', '--json']);
  expect(JSON.parse(ran.stdout)).toEqual({
    request: 'fount://machine@^2.0.0',
    package: 'machine',
    to: '2.0.0',
    integrity: expect.stringMatching(/^sha512-/) as string,
    changed: true,
  });
});

test.each([
  [['fount', 'add', 'http://x'], 2, 'Cannot read the fount "http://x"'],
  [['fount', 'update', 'gone'], 2, 'Cannot update "gone": it is not in sunwell.lock'],
  [['fount', 'add', 'no-such-package'], 1, '"fount://no-such-package@latest"'],
  [['fount', 'add', 'no-such-package', '--frozen'], 1, 'Cannot change sunwell.lock with --frozen'],
])('%j ends with %i', async (words, exitCode, message) => {
  await using rig = await makeRig();
  const ran = await rig.run(words);
  expect([ran.exitCode, ran.stdout]).toEqual([exitCode, '']);
  expect(ran.stderr).toContain(message);
});

test('a damaged lock is unreadable input', async () => {
  await using rig = await makeRig({ 'work/sunwell.lock': 'version: 1\nfounts: [\n' });
  const ran = await rig.run(['fount', 'outdated']);
  expect([ran.exitCode, ran.stderr]).toEqual([2, expect.stringContaining('Cannot read "')]);
});
