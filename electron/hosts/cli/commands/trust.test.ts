import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { canRunScripts } from '#engine/run/testing/can-run-scripts.ts';
import { TestRegistry } from '../../../testing/test-registry.ts';
import { CliRig } from '../testing/cli-rig.ts';

const isAvailable = await canRunScripts();
let registry: TestRegistry;
let rig: CliRig;
beforeAll(async () => {
  registry = await TestRegistry.start();
  await registry.publish('docs', '1.0.0', skills('echo one'));
  await registry.publish('docs', '1.1.0', skills('echo two'));
});
afterAll(() => registry[Symbol.asyncDispose]());
beforeEach(async () => {
  const entry = '{ name: read, source: "fount://docs@1.0.0:read" }';
  rig = await CliRig.make({
    'home/config.yaml': `founts: { default: "${registry.url}" }\n`,
    'work/a.lens': `metadata: { name: A, version: 1.0.0 }\nskills: [${entry}]\n`,
  });
  await rig.run(['fount', 'add', 'docs@1.0.0']);
});
afterEach(() => rig[Symbol.asyncDispose]());

/** A fount with a skill of one script, and one of instructions. */
function skills(script: string): Record<string, string> {
  const read = `{ name: read, description: d, trust: full, files: ["docs/*.md"], scripts: [{ name: read.sh, content: "${script}" }] }`;
  return {
    'docs.skills.yaml': `skills:\n  - ${read}\n  - { name: say, description: d, instructions: Say }\n`,
  };
}

const id = 'fount://docs@1.0.0:read';
const subject = 'fount://docs:read';

describe.skipIf(!isAvailable)('sunwell trust', () => {
  test('a fetched skill runs only after its content was granted, and no longer when it changed', async () => {
    const refused = await rig.run(['exec', 'a.lens#read']);
    expect(refused).toEqual({
      exitCode: 1,
      stdout: '',
      stderr: `Cannot run "read": nobody on this machine has trusted it. Read it and agree with: sunwell trust grant "${id}"\n`,
    });
    const granted = await rig.run(['trust', 'grant', id, '--yes']);
    expect([granted.exitCode, granted.stdout]).toEqual([0, `Granted sandboxed: ${subject}\n`]);
    expect(await rig.run(['exec', 'a.lens#read'])).toMatchObject({ exitCode: 0, stdout: 'one\n' });

    await rig.write({ 'work/a.lens': (await work('a.lens')).replace('1.0.0:read', '1.1.0:read') });
    await rig.run(['fount', 'add', 'docs@1.1.0']);
    const changed = await rig.run(['exec', 'a.lens#read']);
    expect([changed.exitCode, changed.stderr]).toEqual([
      1,
      expect.stringContaining('Cannot run "read": it changed since you trusted it.'),
    ]);
    rig.answer('n');
    const shown = await rig.run(['trust', 'grant', 'a.lens#read']);
    expect([shown.exitCode, shown.stdout]).toEqual([1, '']);
    expect(shown.stderr.split('\n').filter((line) => /^[-+]/.test(line))).toEqual([
      '--- a/scripts/read.sh',
      '+++ b/scripts/read.sh',
      '-echo one',
      '+echo two',
    ]);
  });

  test('grant shows the scripts and what they may do, and asks', async () => {
    rig.answer('yes');
    const ran = await rig.run(['trust', 'grant', 'a.lens#read']);
    expect(ran).toEqual({
      exitCode: 0,
      stdout: `Granted sandboxed: ${subject}\n`,
      stderr:
        `Skill        read (${id})\n` +
        'Asks for     full, has none\n' +
        'Scripts      read.sh (bash)\n' +
        'Reads        docs/*.md\n' +
        'Permissions  no wishes of its own\n' +
        'May take     30 seconds\n' +
        '\nscripts/read.sh, 8 bytes:\n  | echo one\n\n',
    });
    expect(rig.asked).toEqual(['Let "read" run its scripts in the sandbox? [y/N] ']);
  });

  test.each(['', 'n', 'full'])('the answer %j grants nothing', async (answer) => {
    rig.answer(answer);
    const ran = await rig.run(['trust', 'grant', 'a.lens#read']);
    expect([ran.exitCode, ran.stdout]).toEqual([1, '']);
    expect(JSON.parse((await rig.run(['trust', 'list', '--json'])).stdout)).toEqual([]);
  });

  test('where nobody can be asked, grant needs --yes', async () => {
    const ran = await rig.run(['trust', 'grant', 'a.lens#read']);
    expect([ran.exitCode, ran.stdout, ran.stderr.split('\n').at(-2)]).toEqual([
      2,
      '',
      'Cannot ask whether "read" may run its scripts: read the above, then repeat the command with --yes',
    ]);
  });

  test('full trust must be typed, is never given by --yes, and not to what may just have been fetched', async () => {
    const full = ['trust', 'grant', 'a.lens#read', '--level', 'full', '--yes'];
    const unasked = await rig.run(full);
    expect([unasked.exitCode, unasked.stderr.split('\n').at(-2)]).toEqual([
      1,
      'Cannot ask whether "read" may run its scripts: type it on a terminal',
    ]);
    rig.answer('full', 'yes', 'full');
    const fetched = await rig.run(full);
    expect([fetched.exitCode, fetched.stderr.split('\n').at(-2)]).toEqual([
      1,
      `Cannot give "${subject}" full trust: it was fetched in this session`,
    ]);
    await rig.run(['trust', 'grant', 'a.lens#read', '--yes']);
    const [mistyped, typed] = [await rig.run(full), await rig.run(full)];
    expect([mistyped.exitCode, typed.exitCode, typed.stdout]).toEqual([1, 0, `Granted full: ${subject}\n`]);
    expect(rig.asked).toEqual(Array(3).fill('Type "full" to trust "read" fully: '));
  });

  test('a whole fount is granted, listed and revoked', async () => {
    const granted = await rig.run(['trust', 'grant', 'fount://docs@1.0.0', '--yes', '--json']);
    const grant = { subject, level: 'sandboxed', hash: expect.stringMatching(/^[0-9a-f]{64}$/) as string };
    expect(JSON.parse(granted.stdout)).toMatchObject({ granted: [grant], declined: [] });
    expect((await rig.run(['trust', 'list'])).stdout).toMatch(
      /^LEVEL +SKILL +SINCE +HASH\nsandboxed +fount:\/\/docs:read +\d{4}-\d\d-\d\d +[0-9a-f]{12}\n$/,
    );
    const revoked = await rig.run(['trust', 'revoke', 'fount://docs@1.0.0']);
    expect([revoked.exitCode, revoked.stdout]).toEqual([0, `Revoked 1 grant: ${subject}\n`]);
    expect((await rig.run(['exec', 'a.lens#read'])).exitCode).toBe(1);
  });

  test.each([['a.lens#read'], [id], [subject]])('revoke takes back the grant of %s', async (named) => {
    await rig.run(['trust', 'grant', 'a.lens#read', '--yes']);
    const before = await rig.run(['trust', 'revoke', named, '--json']);
    expect([before.exitCode, JSON.parse(before.stdout)]).toEqual([
      0,
      { revoked: [expect.objectContaining({ subject })] },
    ]);
    const again = await rig.run(['trust', 'revoke', named]);
    expect(again.exitCode).toBe(2);
  });

  test('an own skill needs no grant, can be denied, and files of the workspace grant nothing', async () => {
    const own = '{ name: mine, description: d, scripts: [{ name: m.sh, content: "echo mine" }] }';
    await rig.write({
      'work/b.lens': `metadata: { name: B, version: 1.0.0 }\nskills: [${own}]\n`,
      'work/.sunwell/grants.json': await grantsFor('a.lens#read'),
      'work/grants.json': await grantsFor('a.lens#read'),
    });
    expect((await rig.run(['exec', 'b.lens#mine'])).stdout).toBe('mine\n');
    expect((await rig.run(['exec', 'a.lens#read'])).exitCode).toBe(1);
    await rig.run(['trust', 'grant', 'b.lens#mine', '--level', 'none']);
    const denied = await rig.run(['exec', 'b.lens#mine']);
    expect([denied.exitCode, denied.stderr]).toEqual([1, expect.stringContaining('you took its trust away')]);
  });
});

function work(file: string): Promise<string> {
  return readFile(join(rig.folder, 'work', file), 'utf8');
}

/** What the user's own file would hold for a grant, taken back at once. */
async function grantsFor(named: string): Promise<string> {
  await rig.run(['trust', 'grant', named, '--yes']);
  const text = await readFile(join(rig.folder, 'home/grants.json'), 'utf8');
  await rig.run(['trust', 'revoke', named]);
  return text;
}

test.each([
  ['list', []],
  ['revoke', [subject]],
])('trust %s tells of a damaged file of grants, which it sets aside', async (command, words) => {
  await rig.write({ 'home/grants.json': '{' });
  const { stderr } = await rig.run(['trust', command, ...words]);
  expect(stderr).toMatch(/^The file of grants was damaged and none of them counts any more: /);
  expect(stderr).not.toContain('No grants');
});
