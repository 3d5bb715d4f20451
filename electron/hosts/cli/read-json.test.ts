import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Invocation } from './invocation.ts';
import { readInputText, readJson } from './read-json.ts';
import { CliRig } from './testing/cli-rig.ts';

let rig: CliRig;
let invocation: Invocation;
beforeAll(async () => {
  rig = await CliRig.make({ 'work/a.txt': 'two\nlines\n', 'work/large.txt': 'x'.repeat(16 * 1024 ** 2 + 1) });
  invocation = { terminal: { workingDirectory: join(rig.folder, 'work') } } as Invocation;
});
afterAll(() => rig[Symbol.asyncDispose]());

test.each([
  ['/dev/zero', 'file.too-large', 'it is larger than 16 MiB'],
  ['large.txt', 'file.too-large', 'it is larger than 16 MiB'],
  ['gone.txt', 'file.not-found', 'there is no such file'],
  ['a.txt/x', 'file.unreadable', 'what should be its folder is a file'],
  ['.', 'file.unreadable', 'it is a folder'],
])('readInputText() refuses %s', async (file, code, why) => {
  await expect(readInputText(invocation, file)).rejects.toMatchObject({
    code,
    message: `Cannot read "${file}": ${why}`,
  });
});

test('readInputText() reads a file and a pipe to their end', async () => {
  expect(await readInputText(invocation, 'a.txt')).toBe('two\nlines\n');
  const pipe = join(rig.folder, 'work/pipe');
  await promisify(execFile)('mkfifo', [pipe]);
  await symlink(pipe, join(rig.folder, 'work/link'));
  const read = readInputText(invocation, 'link');
  await promisify(execFile)('sh', ['-c', `head -c 200000 /dev/zero | tr '\\0' x > "${pipe}"`]);
  expect((await read).length).toBe(200_000);
});

test.each([
  ['{"a": [1, {"b": -1e400}]}', 'it has a number that is too large'],
  ['[1541815603606036480]', 'it has a whole number that is too large to be exact: write it as a text'],
  [`${'['.repeat(100_000)}${']'.repeat(100_000)}`, 'it is nested more than 2,000 levels deep'],
])('readJson() refuses %.30s, wherever it stands', async (text, why) => {
  await rig.write({ 'work/a.json': text });
  await expect(readJson(invocation, 'a.json')).rejects.toMatchObject({
    code: 'file.unknown-kind',
    message: `Cannot read "a.json": ${why}`,
  });
});

test('readJson() reads numbers that are exact, and long ones in texts', async () => {
  await rig.write({ 'work/b.json': '{"a": [1e300, null, 9007199254740992, "9007199254740993"]}' });
  expect(await readJson(invocation, 'b.json')).toEqual({
    a: [1e300, null, 9007199254740992, '9007199254740993'],
  });
});
