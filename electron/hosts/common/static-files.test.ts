import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readStaticFile, resolveStaticPath } from './static-files.ts';

let folder: string;
let root: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sunwell-static-'));
  root = join(folder, 'page');
  await mkdir(join(root, 'assets'), { recursive: true });
  await mkdir(join(root, 'renderer'));
  await writeFile(join(root, 'renderer', 'index.html'), '<title>page</title>');
  await writeFile(join(root, 'assets', 'main-Ab_9.js'), 'export {};');
  await writeFile(join(root, '.env.json'), 'secret');
  await writeFile(join(folder, 'outside.json'), 'secret');
  await symlink(join(folder, 'outside.json'), join(root, 'link.json'));
  await mkdir(join(root, 'folder.json'));
});
afterAll(() => rm(folder, { recursive: true }));

test('readStaticFile() serves the page for the root and marks hashed assets immutable', async () => {
  expect([await readStaticFile(root, '/'), await readStaticFile(root, '/assets/main-Ab_9.js')]).toEqual([
    {
      parts: ['renderer', 'index.html'],
      contentType: 'text/html; charset=utf-8',
      isImmutable: false,
      body: Buffer.from('<title>page</title>'),
    },
    {
      parts: ['assets', 'main-Ab_9.js'],
      contentType: 'text/javascript; charset=utf-8',
      isImmutable: true,
      body: Buffer.from('export {};'),
    },
  ]);
});

test.each([
  '/../outside.json',
  '/..%2foutside.json',
  '/%2e%2e/outside.json',
  '/%252e%252e/outside.json',
  '/assets/../../outside.json',
  '/..\\outside.json',
  '/..%5coutside.json',
  '//outside.json',
  '/index.html%00.json',
  '/%',
  '/.env.json',
  '/link.json',
  '/folder.json',
  '/assets',
  '/assets/',
  '/missing.json',
  'index.html',
  'C:/index.html',
  `/${'a'.repeat(5000)}.json`,
  '',
])('readStaticFile() finds nothing at "%s"', async (path) => {
  expect(await readStaticFile(root, path)).toBeUndefined();
});

test('resolveStaticPath() never yields a part that climbs, hides or holds a separator', () => {
  const piece = fc.constantFrom(
    '.',
    '..',
    '/',
    '\\',
    '%2f',
    '%5c',
    '%2e',
    '%00',
    'a',
    'index.html',
    '.json',
    ' ',
    ':',
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      const parts = resolveStaticPath(`/${pieces.join('')}`)?.parts ?? [];
      expect(parts.filter((part) => part === '' || /^\.|[/\\\0:]/.test(part))).toEqual([]);
    }),
  );
});
