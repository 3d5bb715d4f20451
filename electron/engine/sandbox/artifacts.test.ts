import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { collectArtifacts } from './artifacts.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());
const limits = { artifactBytes: 100_000, artifactFiles: 5 };

async function pack(files: Record<string, string>): Promise<Buffer> {
  const folder = await world.makeFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return execFileSync('tar', [
    '--create',
    '--file=-',
    '--format=gnu',
    '--hard-dereference',
    `--directory=${folder}`,
    '.',
  ]);
}

/** An archive with one member whose header says whatever the test wants. */
function member(name: string, type: string, content = ''): Buffer {
  const header = Buffer.alloc(512);
  header.write(name, 0, 100);
  header.write('0000755\0', 100);
  header.write(`${content.length.toString(8).padStart(11, '0')}\0`, 124);
  header.write(type, 156);
  const sum = header.reduce((total, byte) => total + byte, 8 * 32);
  header.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148);
  const body = Buffer.alloc(Math.ceil(content.length / 512) * 512);
  body.write(content);
  return Buffer.concat([header, body]);
}

const end = Buffer.alloc(1024);

test('collectArtifacts() takes files, deep paths and long names', async () => {
  const deep = `files/${Array.from({ length: 15 }, (_, i) => `folder-number-${i}`).join('/')}/file.txt`;
  const { artifacts, rejected, output } = collectArtifacts(
    await pack({ [deep]: 'x', 'output.json': '{}', 'other/y': 'z' }),
    { ...limits, artifactFiles: 50 },
  );
  expect(artifacts.map(({ path, content }) => [path, content.toString()])).toEqual([
    [deep.slice('files/'.length), 'x'],
  ]);
  expect({ rejected, output: output?.toString() }).toEqual({ rejected: [], output: '{}' });
});

test.each([
  ['../outside', '0', 'bad-name'],
  ['a/../../outside', '0', 'bad-name'],
  ['/etc/passwd', '0', 'bad-name'],
  ['a//b', '0', 'bad-name'],
  ['a\\b', '0', 'bad-name'],
  ['nul.txt', '0', 'bad-name'],
  ['link', '2', 'not-a-file'],
  ['hard', '1', 'not-a-file'],
  ['device', '3', 'not-a-file'],
  ['fifo', '6', 'not-a-file'],
  ['sparse', 'S', 'not-a-file'],
  [`${'d/'.repeat(16)}f`, '0', 'too-deep'],
])('collectArtifacts() refuses %j of type %s', (name, type, reason) => {
  const archive = Buffer.concat([member(`./files/${name}`, type), member('./files/good', '0', 'x'), end]);
  const { artifacts, rejected } = collectArtifacts(archive, limits);
  expect(artifacts.map(({ path }) => path)).toEqual(['good']);
  expect(rejected).toEqual([{ path: name, reason }]);
});

test('collectArtifacts() refuses names that other systems take for the same', async () => {
  const { artifacts, rejected } = collectArtifacts(await pack({ 'files/a': '1', 'files/A': '2' }), limits);
  expect([artifacts.length, rejected[0]?.reason]).toEqual([1, 'twin']);
});

test('collectArtifacts() keeps nothing over a cap', async () => {
  const many = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`files/${i}`, '']));
  expect(collectArtifacts(await pack(many), limits)).toEqual({
    artifacts: [],
    rejected: [{ path: '', reason: 'too-many' }],
  });
  const large = { 'files/a': 'x'.repeat(60_000), 'files/b': 'x'.repeat(60_000) };
  expect(collectArtifacts(await pack(large), limits)).toEqual({
    artifacts: [],
    rejected: [{ path: '', reason: 'too-large' }],
  });
});

test('collectArtifacts() survives any damage to the archive', async () => {
  const archive = await pack({ 'files/a/b.txt': 'hello', 'output.json': '{}' });
  fc.assert(
    fc.property(fc.nat(archive.length - 1), fc.nat(255), fc.nat(archive.length), (at, byte, length) => {
      const damaged = Buffer.from(archive.subarray(0, length));
      if (at < damaged.length) damaged[at] = byte;
      const { artifacts } = collectArtifacts(damaged, limits);
      expect(artifacts.every(({ path }) => !path.split('/').includes('..') && !path.startsWith('/'))).toBe(
        true,
      );
    }),
    { numRuns: 500 },
  );
});
