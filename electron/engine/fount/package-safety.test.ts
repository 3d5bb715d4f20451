import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { ErrorCode } from '#shared/errors.ts';
import { DiskWorld } from '../../testing/disk-world.ts';
import { makePackage, makeTarball, type TarEntry } from '../../testing/make-tarball.ts';
import { codeOf, manifest, openDesk, skills } from './testing/fount-desk.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

const hostile: [string, TarEntry, ErrorCode][] = [
  ['symbolic link', { path: 'package/a', type: '2', link: '/etc/passwd' }, 'fount.unsafe'],
  ['hard link', { path: 'package/a', type: '1', link: 'package/package.json' }, 'fount.unsafe'],
  ['device', { path: 'package/a', type: '3' }, 'fount.unsafe'],
  ['named pipe', { path: 'package/a', type: '6' }, 'fount.unsafe'],
  ['unknown kind', { path: 'package/a', type: 'Z' }, 'fount.unsafe'],
  ['absolute path', { path: '/tmp/sunwell-escaped', content: 'x' }, 'fount.unsafe'],
  ['path that leaves', { path: 'package/../../escaped', content: 'x' }, 'fount.unsafe'],
  ['drive letter', { path: 'C:/escaped', content: 'x' }, 'fount.unsafe'],
  ['backslash', { path: 'package/..\\escaped', content: 'x' }, 'fount.unsafe'],
  [
    'long name that leaves',
    { path: 'x', type: 'x', content: '31 path=package/../../escaped-1\n' },
    'fount.unsafe',
  ],
  ['name that differs by case', { path: 'package/DOCS.skills.yaml', content: 'x' }, 'fount.unsafe'],
  ['deep path', { path: `package/${'a/'.repeat(20)}b`, content: 'x' }, 'fount.unsafe'],
  ['large file', { path: 'package/zeros', content: Buffer.alloc(65 * 1024 * 1024) }, 'fount.too-large'],
];

test.each(hostile)('a package with a %s is refused and leaves nothing behind', async (label, entry, code) => {
  const name = `hostile-${label.replaceAll(' ', '-')}`;
  const file = { path: 'package/docs.skills.yaml', content: 'skills: []\n' };
  const head = { path: 'package/package.json', content: manifest(name, '1.0.0') };
  const bytes = makeTarball([head, file, entry, { path: 'package/last', content: 'x' }]);
  const folder = await world.makeFolder();
  await writeFile(join(folder, 'p.tgz'), bytes);
  const { founts, home } = await openDesk(world, { folder, founts: {} });
  expect(await codeOf(founts.add(`${name}@file:./p.tgz`))).toBe(code);
  expect(await readdir(join(home, 'fount'))).toEqual([]);
  expect(await readdir(folder)).toEqual(['p.tgz']);
});

test('a package with too many files is refused', async () => {
  const entries = Array.from({ length: 5001 }, (_, at) => ({ path: `package/${at}` }));
  const folder = await world.makeFolder();
  await writeFile(join(folder, 'p.tgz'), makeTarball(entries));
  expect(await codeOf((await openDesk(world, { folder, founts: {} })).founts.add('many@file:./p.tgz'))).toBe(
    'fount.too-large',
  );
});

test.each([
  ['no skills', 'fount.empty', { 'package.json': manifest('odd', '1.0.0') }],
  ['another name', 'fount.wrong-package', { 'package.json': manifest('other', '1.0.0'), ...skills }],
  ['no version', 'fount.wrong-package', { 'package.json': '{"name": "odd"}', ...skills }],
  ['no manifest', 'fount.wrong-package', skills],
] as const)('a package with %s is refused', async (_case, code, files) => {
  const folder = await world.makeFolder();
  await writeFile(join(folder, 'p.tgz'), makePackage(files));
  expect(await codeOf((await openDesk(world, { folder, founts: {} })).founts.add('odd@file:./p.tgz'))).toBe(
    code,
  );
});
