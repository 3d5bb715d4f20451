import { createHash } from 'node:crypto';
import {
  linkSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../../testing/disk-world.ts';
import { sandboxIdentity } from '../identity.ts';
import { StageStore } from './stage-store.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

async function makeStore(
  files: Record<string, string>,
): Promise<{ store: StageStore; root: string; folder: string }> {
  const folder = await world.makeFolder();
  const root = await world.makeWorkspace(files);
  return { store: new StageStore(folder, sandboxIdentity()), root, folder };
}

function age(path: string): void {
  utimesSync(path, new Date(1e12), new Date(1e12));
}

function sha256(text: string): string {
  return createHash('sha256').update(text).digest('hex');
}

test('hash() names the files that a snapshot would hold, and copies nothing', async () => {
  const { store, root, folder } = await makeStore({
    'a.txt': 'a',
    'sub/b.txt': 'b',
    'sub-c.txt': 'c',
    '.env': 'secret',
    '.gitignore': '*.log',
    'x.log': 'x',
  });
  symlinkSync('a.txt', join(root, 'link'));
  symlinkSync('sub', join(root, 'linked-folder'));
  linkSync(join(root, '.env'), join(root, 'alias'));
  const { files, blocked } = await store.hash(root);
  const [key] = readdirSync(join(folder, 'stages'));
  expect(readdirSync(join(folder, 'stages', key!))).toEqual(['hashes']);
  const snapshot = await store.snapshot(root);
  expect({ files: [...files], blocked }).toEqual({ files: [...snapshot.files], blocked: snapshot.blocked });
  expect({ files: [...files], blocked }).toEqual({
    files: [
      ['.gitignore', sha256('*.log')],
      ['a.txt', sha256('a')],
      ['sub-c.txt', sha256('c')],
      ['sub/b.txt', sha256('b')],
    ],
    blocked: ['.env', 'alias'],
  });
});

test('hash() reads a file larger than its buffer whole', async () => {
  const text = 'large '.repeat(200_000);
  const { store, root } = await makeStore({ 'large.txt': text, 'empty.txt': '' });
  expect(Object.fromEntries((await store.hash(root)).files)).toEqual({
    'empty.txt': sha256(''),
    'large.txt': sha256(text),
  });
});

test('hash() goes on from what a snapshot has read', async () => {
  const { store, root, folder } = await makeStore({ 'a.txt': 'a' });
  const before = Date.now();
  while (Date.now() - before < 60) continue;
  (await store.snapshot(root))[Symbol.dispose]();
  await new StageStore(folder, sandboxIdentity()).hash(root);
  const [key] = readdirSync(join(folder, 'stages'));
  expect(readdirSync(join(folder, 'stages', key!))).not.toContain('hashes');
});

test('hash() opens no file that did not change', async () => {
  const { store, root, folder } = await makeStore({ 'a.txt': 'a', 'b.txt': 'b' });
  const before = Date.now();
  while (Date.now() - before < 60) continue;
  const first = await store.hash(root);
  expect((await store.hash(root)).files).toBe(first.files);
  expect(await new StageStore(folder, sandboxIdentity()).hash(root)).toEqual(first);
});

type Edit =
  | { readonly kind: 'write' | 'same-times' | 'replace'; readonly file: string; readonly text: string }
  | { readonly kind: 'delete' | 'touch' | 'link'; readonly file: string };

const file = fc.constantFrom('a.txt', 'b.txt', 'sub/a.txt', 'sub/deep/b.txt', '.env', 'x.log', '.gitignore');
const text = fc.constantFrom('one', 'two', '*.log', 'a.txt');
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record({
    kind: fc.constantFrom('write' as const, 'same-times' as const, 'replace' as const),
    file,
    text,
  }),
  fc.record({ kind: fc.constantFrom('delete' as const, 'touch' as const, 'link' as const), file }),
);

async function apply(root: string, change: Edit): Promise<void> {
  const path = join(root, change.file);
  switch (change.kind) {
    case 'write':
      return world.writeFile(root, change.file, change.text);
    case 'same-times':
      await world.writeFile(root, change.file, change.text);
      return age(path);
    case 'replace':
      writeFileSync(join(root, '.env.new'), change.text);
      age(join(root, '.env.new'));
      await world.writeFile(root, change.file, '');
      return renameSync(join(root, '.env.new'), path);
    case 'delete':
      return rmSync(path, { force: true });
    case 'touch':
      try {
        return age(path);
      } catch {
        return; // There is nothing to touch.
      }
    case 'link':
      rmSync(join(root, 'alias'), { force: true });
      try {
        return linkSync(path, join(root, 'alias'));
      } catch {
        return; // There is nothing to link to.
      }
  }
}

test('hash() says after any edits what a first look would say, in this process and in the next', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(fc.array(edit, { maxLength: 4 }), { maxLength: 5 }), async (rounds) => {
      const { store, root, folder } = await makeStore({ 'a.txt': 'one', '.env': 'one' });
      for (const edits of rounds) {
        for (const change of edits) await apply(root, change);
        const fresh = await new StageStore(await world.makeFolder(), sandboxIdentity()).hash(root);
        expect(await store.hash(root)).toEqual(fresh);
        expect(await new StageStore(folder, sandboxIdentity()).hash(root)).toEqual(fresh);
        expect([...fresh.files.keys()]).toEqual([...fresh.files.keys()].sort());
      }
    }),
    { numRuns: 60 },
  );
});

test('a damaged list of hashes is never believed', async () => {
  const { store, root, folder } = await makeStore({ 'a.txt': 'a', 'sub/b.txt': 'b' });
  const before = Date.now();
  while (Date.now() - before < 60) continue;
  const right = await store.hash(root);
  const [key] = readdirSync(join(folder, 'stages'));
  const path = join(folder, 'stages', key!, 'hashes');
  const bytes = readFileSync(path);
  await fc.assert(
    fc.asyncProperty(
      fc.nat(bytes.length - 1),
      fc.integer({ min: 1, max: 255 }),
      fc.boolean(),
      async (at, flip, isCut) => {
        const damaged = Buffer.from(isCut ? bytes.subarray(0, at) : bytes);
        if (!isCut) damaged[at]! ^= flip;
        writeFileSync(path, damaged);
        expect(await new StageStore(folder, sandboxIdentity()).hash(root)).toEqual(right);
      },
    ),
    { numRuns: 200 },
  );
});
