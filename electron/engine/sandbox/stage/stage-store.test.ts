import {
  appendFileSync,
  existsSync,
  linkSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../../testing/disk-world.ts';
import { sandboxIdentity } from '../identity.ts';
import { isBlocked } from '#shared/blocked-names.ts';
import { StageStore } from './stage-store.ts';
import { dropUnused, newTreeName } from './tree.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

/** Old enough that the clock of the file system has moved on since. */
function age(...paths: string[]): void {
  for (const path of paths) utimesSync(path, new Date(1e12), new Date(1e12));
}

async function makeStore(
  files: Record<string, string>,
): Promise<{ store: StageStore; root: string; folder: string }> {
  const folder = await world.makeFolder();
  const root = await world.makeWorkspace(files);
  return { store: new StageStore(folder, sandboxIdentity()), root, folder };
}

function staged(folder: string | undefined): Record<string, string> {
  if (folder === undefined) return {};
  const files = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((entry) =>
    entry.isFile(),
  );
  return Object.fromEntries(
    files.map(({ parentPath, name }) => {
      const path = join(parentPath, name);
      return [path.slice(folder.length + 1), readFileSync(path, 'utf8')];
    }),
  );
}

const sha256OfA = 'ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb';

test('a snapshot holds exactly the files it reports', async () => {
  const { store, root } = await makeStore({ 'a.txt': 'a', 'sub/b.txt': 'b', '.env': 'secret' });
  symlinkSync('a.txt', join(root, 'link'));
  linkSync(join(root, '.env'), join(root, 'alias'));
  const snapshot = await store.snapshot(root);
  const view = await snapshot.view();
  expect(staged(view.folder)).toEqual({ 'a.txt': 'a', 'sub/b.txt': 'b' });
  expect([...view.files.keys()]).toEqual(['a.txt', 'sub/b.txt']);
  expect(view.files.get('a.txt')).toBe(sha256OfA);
  expect(snapshot.blocked).toEqual(['.env', 'alias']);
  snapshot[Symbol.dispose]();
});

test('a hard link to a file that is not blocked is staged', async () => {
  const { store, root } = await makeStore({ 'a.txt': 'a' });
  linkSync(join(root, 'a.txt'), join(root, 'b.txt'));
  expect([...(await store.snapshot(root)).files.keys()]).toEqual(['a.txt', 'b.txt']);
});

test('staged files cannot be written by anybody', async () => {
  const { store, root } = await makeStore({ 'a.txt': 'a' });
  const { folder } = await (await store.snapshot(root)).view();
  expect(statSync(join(folder!, 'a.txt')).mode & 0o222).toBe(0);
});

test('a view narrows the snapshot to its globs, and no file means no folder', async () => {
  const { store, root } = await makeStore({ 'docs/a.md': 'a', 'src/b.py': 'b' });
  const snapshot = await store.snapshot(root);
  expect(staged((await snapshot.view(['docs/*'])).folder)).toEqual({ 'docs/a.md': 'a' });
  expect(await snapshot.view([])).toEqual({ folder: undefined, files: new Map() });
  expect((await snapshot.view(['**'])).folder).toBe((await snapshot.view()).folder);
});

test('an unchanged workspace gets the same copy, also from another process’s store', async () => {
  const { store, root, folder } = await makeStore({ 'a.txt': 'a' });
  const before = Date.now();
  while (Date.now() - before < 60) continue;
  const first = await (await store.snapshot(root)).view();
  const again = await (await store.snapshot(root)).view();
  const other = await (await new StageStore(folder, sandboxIdentity()).snapshot(root)).view();
  expect([again.folder, other.folder]).toEqual([first.folder, first.folder]);
});

test('a changed workspace gets a new copy, and a run keeps the one it started with', async () => {
  const { store, root } = await makeStore({ 'a.txt': 'a', 'b.txt': 'b' });
  const first = await store.snapshot(root);
  const before = (await first.view()).folder!;
  writeFileSync(join(root, 'a.txt'), 'A');
  rmSync(join(root, 'b.txt'));
  const second = await store.snapshot(root);
  expect(staged((await second.view()).folder)).toEqual({ 'a.txt': 'A' });
  expect(staged(before)).toEqual({ 'a.txt': 'a', 'b.txt': 'b' });
  first[Symbol.dispose]();
  expect(existsSync(before)).toBe(false);
  expect(staged((await second.view()).folder)).toEqual({ 'a.txt': 'A' });
});

test('a file changed to the same size and time is still noticed', async () => {
  const { store, root } = await makeStore({ 'a.txt': 'a' });
  age(join(root, 'a.txt'));
  await store.snapshot(root);
  writeFileSync(join(root, 'a.txt'), 'b');
  age(join(root, 'a.txt'));
  expect((await store.snapshot(root)).files.get('a.txt')).not.toBe(sha256OfA);
});

test('a file replaced by another of the same size and time is noticed', async () => {
  const { store, root } = await makeStore({ 'a.txt': 'a' });
  await store.snapshot(root);
  writeFileSync(join(root, 'new'), 'b');
  age(join(root, 'new'));
  renameSync(join(root, 'new'), join(root, 'a.txt'));
  expect((await store.snapshot(root)).files.get('a.txt')).not.toBe(sha256OfA);
});

test('a damaged index costs a new copy and nothing else', async () => {
  const { store, root, folder } = await makeStore({ 'a.txt': 'a' });
  await store.snapshot(root);
  const [key] = readdirSync(join(folder, 'stages'));
  appendFileSync(join(folder, 'stages', key!, 'index'), '{');
  const snapshot = await new StageStore(folder, sandboxIdentity()).snapshot(root);
  expect(staged((await snapshot.view()).folder)).toEqual({ 'a.txt': 'a' });
});

test('two runs at once share one copy', async () => {
  const { store, root, folder } = await makeStore({ 'a.txt': 'a' });
  const before = Date.now();
  while (Date.now() - before < 60) continue;
  const snapshots = await Promise.all([store.snapshot(root), store.snapshot(root), store.snapshot(root)]);
  const folders = await Promise.all(snapshots.map(async (snapshot) => (await snapshot.view()).folder));
  expect(new Set(folders).size).toBe(1);
  const [key] = readdirSync(join(folder, 'stages'));
  expect(readdirSync(join(folder, 'stages', key!)).filter((name) => name.startsWith('tree-'))).toHaveLength(
    1,
  );
});

test('copies of workspaces that were not used for long are removed', async () => {
  const { store, folder } = await makeStore({});
  for (let i = 0; i < 12; i++) {
    const root = await world.makeWorkspace({ a: String(i) });
    (await store.snapshot(root))[Symbol.dispose]();
  }
  expect(readdirSync(join(folder, 'stages')).length).toBeLessThanOrEqual(9);
});

test('a copy that a process is about to claim is left to it, and removed when that process is gone', async () => {
  const { store, root, folder } = await makeStore({ 'a.txt': 'a' });
  (await store.snapshot(root))[Symbol.dispose]();
  const [key] = readdirSync(join(folder, 'stages'));
  const names = [newTreeName(), 'making-1-0-dead'];
  for (const name of names) mkdirSync(join(folder, 'stages', key!, name));
  const left = () => names.filter((name) => existsSync(join(folder, 'stages', key!, name)));
  (await store.snapshot(root))[Symbol.dispose]();
  expect(left()).toEqual(names.slice(0, 1));
  // As before with all that is in use, its workspace is not forgotten either.
  expect(dropUnused(join(folder, 'stages', key!))).toBe(false);
});

test('what another process removes meanwhile is missed by nobody', async () => {
  const { store, root, folder } = await makeStore({ 'a.txt': 'a' });
  const stages = join(folder, 'stages');
  // Listed, and gone when it is looked at.
  symlinkSync(join(stages, 'nowhere'), join(stages, 'gone'));
  const snapshot = await store.snapshot(root);
  const [key] = readdirSync(stages).filter((name) => name !== 'gone');
  rmSync(join(stages, key!), { recursive: true });
  snapshot[Symbol.dispose]();
  const hashing = store.hash(root);
  while (!existsSync(join(stages, key!))) await Promise.resolve();
  rmSync(join(stages, key!), { recursive: true });
  expect((await hashing).files).toEqual(new Map([['a.txt', sha256OfA]]));
  expect(staged((await (await store.snapshot(root)).view()).folder)).toEqual({ 'a.txt': 'a' });
});

test('an empty workspace is staged as nothing', async () => {
  const { store, root } = await makeStore({});
  mkdirSync(join(root, 'empty'));
  expect(await (await store.snapshot(root)).view()).toEqual({ folder: undefined, files: new Map() });
});

test('a workspace that is gone is refused by name', async () => {
  const { store, root } = await makeStore({});
  rmSync(root, { recursive: true });
  await expect(store.snapshot(root)).rejects.toMatchObject({ code: 'workspace.not-found' });
});

test.each([
  ['.git', true],
  ['.GIT', true],
  ['.gitignore', false],
  ['.env', true],
  ['.env.example', false],
  ['.Env.Local', true],
  ['.environment', true],
  ['cert.PEM', true],
  ['id_rsa.pub', true],
  ['idea.md', false],
  ['monkey', false],
  ['a.Key', true],
  ['sk.pem', true],
  ['Id_key', true],
  ['\u200b.env', true],
  ['.ｅnv', true],
  ['secrets.md', false],
])('isBlocked(%j) is %s', (name, expected) => {
  expect(isBlocked(name, false)).toBe(expected);
});

test('a folder named secrets is blocked, a file is not', () => {
  expect([isBlocked('Secrets', true), isBlocked('secrets', false)]).toEqual([true, false]);
});

test('isBlocked() says the same of plain names with and without its quick look', () => {
  const closer = (name: string): boolean => isBlocked(`\u200b${name}`, true);
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom(...'.iIsSdDeEnNvVcCrRtTpPmMkKyY_xa0 ') }),
      fc.constantFrom('', 'id_', 'secrets', '.env', 'a'),
      fc.constantFrom('', '.pem', '.KEY', 'x'),
      (middle, start, end) => {
        const name = start + middle + end;
        expect(isBlocked(name, true)).toBe(closer(name));
      },
    ),
  );
});
