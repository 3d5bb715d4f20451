import { mkdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { StudioError } from '#shared/errors.ts';
import { DiskWorld } from '../../testing/disk-world.ts';
import { formatLock, parseLock, readLock, writeLock, type Lock } from './lock-file.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

const integrity = `sha512-${'A'.repeat(86)}==`;

function lineOf(text: string): unknown {
  try {
    return parseLock(text, 'sunwell.lock');
  } catch (error) {
    if (error instanceof StudioError && error.code === 'lock.corrupt') return error.details['line'];
    throw error;
  }
}

test('formatLock() writes sorted founts below a comment', () => {
  const entry = { version: '1.0.0', resolved: 'registry', integrity };
  expect(formatLock({ version: 1, founts: { 'fount://b@^1': entry, 'fount://@a/x@>=1 <2': entry } })).toBe(
    `# Written by Sunwell Studio: commit it, do not edit it. "sunwell fount update" changes it.
version: 1
founts:
  fount://@a/x@>=1 <2:
    integrity: ${integrity}
    resolved: registry
    version: 1.0.0
  fount://b@^1:
    integrity: ${integrity}
    resolved: registry
    version: 1.0.0
`,
  );
});

const range = fc.constantFrom(
  '^1',
  '*',
  '>=1 <2',
  '1.x || 2',
  'git+file:///a b#c',
  'file:./x: y',
  "it's",
  '#x',
);
const entry = fc.record({
  version: fc.constantFrom('1.0.0', '1.2.3-beta.1', '10.0.0+build'),
  integrity: fc.constant(integrity),
  resolved: fc.constantFrom('registry', 'git#0123'),
  note: fc.string(),
});
const lock = fc
  .dictionary(
    fc.tuple(fc.constantFrom('a', '@a/b', 'c.d'), range).map(([name, at]) => `fount://${name}@${at}`),
    entry,
  )
  .map((founts): Lock => ({ version: 1, founts }));

test('parseLock() reads back whatever formatLock() writes, in any order of entries', () => {
  fc.assert(
    fc.property(lock, (value) => {
      const text = formatLock(value);
      const reversed = Object.fromEntries(Object.entries(value.founts).reverse());
      expect(parseLock(text, 'sunwell.lock')).toEqual(value);
      expect(formatLock({ ...value, founts: reversed })).toBe(text);
    }),
    { numRuns: 300 },
  );
});

test.each([
  ['empty', '', 1],
  ['a merge conflict', 'version: 1\nfounts:\n<<<<<<< HEAD\n  a: 1\n=======\n', 3],
  ['of a later form', 'version: 2\nfounts: {}\n', 1],
  ['without founts', '# x\nversion: 1\n', 1],
  ['a short hash', `version: 1\nfounts:\n  fount://a@^1:\n    version: 1.0.0\n    integrity: sha1-x\n`, 5],
  ['a missing hash', `version: 1\nfounts:\n  fount://a@^1:\n    version: 1.0.0\n`, 3],
  [
    'a bad version',
    `version: 1\nfounts:\n  fount://a@^1:\n    version: one\n    integrity: ${integrity}\n`,
    4,
  ],
  ['a bad key', `version: 1\nfounts:\n  a@^1:\n    version: 1.0.0\n    integrity: ${integrity}\n`, 3],
  ['a key twice', 'version: 1\nversion: 1\nfounts: {}\n', 2],
  ['a prototype key', `version: 1\nfounts:\n  __proto__: {version: 1.0.0, integrity: ${integrity}}\n`, 3],
  ['aliases', 'version: 1\nfounts: &a {}\nmore: *a\n', 1],
  ['deep nesting', '['.repeat(100_000), 1],
])('parseLock() names the line of a lock that is %s', (_case, text, line) => {
  expect(lineOf(text)).toBe(line);
});

test('parseLock() only ever refuses with lock.corrupt', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string(), fc.json(), lock.map(formatLock)),
      fc.nat(),
      fc.string(),
      (text, at, junk) => {
        const cut = at % (text.length + 1);
        lineOf(text.slice(0, cut) + junk + text.slice(cut));
      },
    ),
    { numRuns: 500 },
  );
});

test('readLock() takes no lock for an empty one, and refuses a folder in its place', async () => {
  const folder = await world.makeFolder();
  expect(await readLock(folder)).toEqual({ version: 1, founts: {} });
  await mkdir(join(folder, 'sunwell.lock'));
  await expect(readLock(folder)).rejects.toMatchObject({ code: 'lock.corrupt' });
});

test('a damaged lock is left as it is', async () => {
  const folder = await world.makeWorkspace({ 'sunwell.lock': 'version: 1\nfounts: [' });
  await expect(readLock(folder)).rejects.toMatchObject({ code: 'lock.corrupt', details: { line: 2 } });
  expect(await readFile(join(folder, 'sunwell.lock'), 'utf8')).toBe('version: 1\nfounts: [');
});

test('writeLock() leaves a file that would not change alone', async () => {
  const folder = await world.makeFolder();
  const value = { version: 1, founts: {} } as const;
  expect([await writeLock(folder, value), await writeLock(folder, value)]).toEqual([true, false]);
});
