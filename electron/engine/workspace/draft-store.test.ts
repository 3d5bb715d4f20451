import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { PageId } from '#shared/model/draft.ts';
import type { FileId, Revision } from '#shared/model/workspace.ts';
import { DiskWorld } from '../../testing/disk-world.ts';
import { ownMark, startTime } from '../store/process-mark.ts';
import { DraftStore } from './draft-store.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

const [first, second] = ['page-first', 'page-second'] as PageId[] as [PageId, PageId];
const file = 'lenses/harbor.lens' as FileId;
const base = 'a'.repeat(64) as Revision;
const text = 'lens: typed';

async function openStore(home?: string): Promise<{ store: DraftStore; home: string; folder: string }> {
  const place = home ?? (await world.makeFolder());
  const folder = join(place, 'drafts', 'harbor');
  return { store: new DraftStore(folder), home: place, folder };
}

/** Holds a page alive until it is disposed. */
function living(store: DraftStore, page: PageId): Disposable {
  let end: (result: IteratorReturnResult<undefined>) => void = () => undefined;
  const ended = new Promise<IteratorReturnResult<undefined>>((resolve) => (end = resolve));
  const events = { [Symbol.asyncIterator]: () => ({ next: () => ended }) };
  void store.attend(page, events).next();
  return { [Symbol.dispose]: () => end({ done: true, value: undefined }) };
}

async function rewrite(folder: string, change: Record<string, unknown>): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const kept = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
    await writeFile(path, JSON.stringify({ ...kept, ...change }));
  }
}

test('list() gives the text of a page that is gone to the next page, and to that one only', async () => {
  const { store, folder } = await openStore();
  await store.keep(first, { file, text: 'older', base });
  await store.keep(first, { file, text, base });
  const taken = await store.list(second);
  using _here = living(store, second);
  expect(taken).toEqual([{ file, text, base, keptAt: expect.any(String) as string }]);
  expect(await store.list(first)).toEqual([]);
  expect(await store.list(second)).toEqual(taken);
  expect((await readdir(folder)).length).toBe(1);
});

test('list() leaves a living page its text, and takes it when that page is gone', async () => {
  const { store } = await openStore();
  {
    using _here = living(store, first);
    await store.keep(first, { file, text, base });
    expect(await store.list(second)).toEqual([]);
  }
  await expect.poll(() => store.list(second)).toMatchObject([{ file, text }]);
});

test('list() leaves what another process holds, and takes it when that process was killed', async () => {
  const { store, home, folder } = await openStore();
  const other = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
  await once(other, 'spawn');
  await store.keep(first, { file, text, base });
  await rewrite(folder, { owner: `${other.pid}-${startTime(other.pid!) ?? 'unknown'}` });
  expect(await store.list(second)).toEqual([]);
  other.kill('SIGKILL');
  await once(other, 'exit');
  const afterwards = (await openStore(home)).store;
  expect(await afterwards.list(second)).toMatchObject([{ file, text, base }]);
  const [name = ''] = await readdir(folder);
  expect(JSON.parse(await readFile(join(folder, name), 'utf8'))).toMatchObject({ owner: ownMark() });
});

test('list() gives the newest of two texts of one file, and the other after it', async () => {
  const { store, folder } = await openStore();
  await store.keep(first, { file, text: 'older', base });
  await rewrite(folder, { keptAt: '2020-01-01T00:00:00.000Z' });
  await store.keep(second, { file, text: 'newer', base });
  const third = 'page-third' as PageId;
  expect(await store.list(third)).toMatchObject([{ text: 'newer' }]);
  await store.drop(third, file);
  expect(await store.list(third)).toMatchObject([{ text: 'older' }]);
  await store.drop(third, file);
  expect(await store.list(third)).toEqual([]);
});

test('drop() after keep() leaves nothing, however quickly it comes', async () => {
  const { store, folder } = await openStore();
  await Promise.all([store.keep(first, { file, text, base }), store.drop(first, file)]);
  expect(await readdir(folder)).toEqual([]);
});

test('keep() lets nobody else read the text', async () => {
  const { store, folder } = await openStore();
  await store.keep(first, { file, text, base });
  const [name = ''] = await readdir(folder);
  expect([(await stat(folder)).mode & 0o777, (await stat(join(folder, name))).mode & 0o777]).toEqual([
    0o700, 0o600,
  ]);
});

test('keep() says why it cannot, and list() passes over a damaged file', async () => {
  const home = await world.makeWorkspace({ drafts: 'a file' });
  await expect((await openStore(home)).store.keep(first, { file, text, base })).rejects.toMatchObject({
    code: 'draft.unwritable',
  });
  const { store, folder } = await openStore();
  await store.keep(first, { file, text, base });
  const [name = ''] = await readdir(folder);
  await writeFile(join(folder, name), '{"file":');
  expect(await store.list(second)).toEqual([]);
  expect(await readdir(folder)).toEqual([expect.stringMatching(`^${name}.corrupt-`)]);
});
