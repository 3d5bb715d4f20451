import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { deflateSync } from 'node:zlib';
import { afterEach, describe, expect, test } from 'vitest';
import type { FileId } from '#shared/model/workspace.ts';
import { applyDelta } from './delta.ts';
import { headText } from './head-text.ts';

const folders: string[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true });
});

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'sunwell-git-'));
  folders.push(folder);
  return folder;
}

interface Made {
  readonly type: 'commit' | 'tree' | 'blob';
  readonly body: Buffer;
  readonly id: string;
}

function made(type: Made['type'], body: Buffer | string): Made {
  const bytes = Buffer.from(body);
  const id = createHash('sha1').update(`${type} ${bytes.length}\0`).update(bytes).digest('hex');
  return { type, body: bytes, id };
}

const tree = (entries: Record<string, Made>): Made =>
  made(
    'tree',
    Buffer.concat(
      Object.entries(entries).flatMap(([name, { type, id }]) => [
        Buffer.from(`${type === 'tree' ? '40000' : '100644'} ${name}\0`),
        Buffer.from(id, 'hex'),
      ]),
    ),
  );

async function put(root: string, file: string, content: Buffer | string): Promise<void> {
  await mkdir(dirname(join(root, file)), { recursive: true });
  await writeFile(join(root, file), content);
}

async function putLoose(git: string, { type, body, id }: Made): Promise<void> {
  const bytes = Buffer.concat([Buffer.from(`${type} ${body.length}\0`), body]);
  await put(git, `objects/${id.slice(0, 2)}/${id.slice(2)}`, deflateSync(bytes));
}

const text = 'metadata: {name: A, version: 1.0.0}\n# committed\n';
const blob = made('blob', text);
const folder = tree({ 'a.lens': blob });
const root = tree({ lenses: folder });
const commit = made('commit', `tree ${root.id}\nauthor A <a@example> 1 +0000\n\nFirst\n`);
const objects = [blob, folder, root, commit];
const lens = 'lenses/a.lens' as FileId;

describe('headText()', () => {
  test('reads loose objects, also from a folder below the repository', async () => {
    const workspace = await newFolder();
    for (const object of objects) await putLoose(join(workspace, '.git'), object);
    await put(workspace, '.git/HEAD', 'ref: refs/heads/main\n');
    await put(workspace, '.git/refs/heads/main', `${commit.id}\n`);
    await mkdir(join(workspace, 'lenses'));
    expect(await headText(workspace, lens)).toEqual({ text, commit: commit.id });
    expect(await headText(join(workspace, 'lenses'), 'a.lens' as FileId)).toEqual({
      text,
      commit: commit.id,
    });
  });

  test('reads packs with deltas, and packed branches', async () => {
    const workspace = await newFolder();
    const old = made('blob', text.replace('committed', 'older'));
    await put(workspace, '.git/HEAD', 'ref: refs/heads/main\n');
    await put(workspace, '.git/packed-refs', `# pack-refs with: peeled\n${commit.id} refs/heads/main\n`);
    await putPack(join(workspace, '.git'), [old, folder, root, commit], { target: blob, base: old });
    expect(await headText(workspace, lens)).toEqual({ text, commit: commit.id });
  });

  test('follows the pointers of a linked worktree', async () => {
    const main = await newFolder();
    const linked = await newFolder();
    for (const object of objects) await putLoose(join(main, '.git'), object);
    await put(main, '.git/worktrees/w/HEAD', `${commit.id}\n`);
    await put(main, '.git/worktrees/w/commondir', '../..\n');
    await put(linked, '.git', `gitdir: ${join(main, '.git/worktrees/w')}\n`);
    expect(await headText(linked, lens)).toEqual({ text, commit: commit.id });
  });

  test('says why there is nothing to read', async () => {
    const workspace = await newFolder();
    await expect(headText(workspace, lens)).rejects.toMatchObject({ code: 'git.no-repository' });
    await put(workspace, '.git/HEAD', 'ref: refs/heads/main\n');
    await expect(headText(workspace, lens)).rejects.toMatchObject({ code: 'git.not-committed' });
    await put(workspace, '.git/refs/heads/main', `${commit.id}\n`);
    await expect(headText(workspace, lens)).rejects.toMatchObject({ code: 'git.unreadable' });
    for (const object of objects) await putLoose(join(workspace, '.git'), object);
    await expect(headText(workspace, 'b.lens' as FileId)).rejects.toMatchObject({
      code: 'git.not-committed',
    });
    await putLoose(join(workspace, '.git'), { ...blob, body: Buffer.from('something else') });
    await expect(headText(workspace, lens)).rejects.toMatchObject({
      code: 'git.unreadable',
      message: `Cannot compare "lenses/a.lens": the blob ${blob.id.slice(0, 8)} of the repository is damaged`,
    });
  });

  const repository = join(import.meta.dirname, '../../..');
  test.skipIf(!existsSync(join(repository, '.git')))(
    'reads the repository of the studio itself',
    async () => {
      // Every object is checked against its name, so a wrong byte would have been refused.
      const found = await headText(repository, 'package.json' as FileId);
      expect(JSON.parse(found.text)).toMatchObject({ name: 'sunwell-studio' });
    },
  );
});

describe('applyDelta()', () => {
  test('refuses one that is for another object or too long', () => {
    const base = Buffer.from('abc');
    expect(() => applyDelta(base, Buffer.from([4, 1, 1, 97]))).toThrow('Delta does not fit');
    expect(() => applyDelta(base, Buffer.from([3, 2, 1, 97]))).toThrow('Delta does not fit');
    expect(applyDelta(base, Buffer.from([3, 3, 0x91, 1, 2, 1, 97])).toString()).toBe('bca');
  });
});

/** Writes a pack and its index; one object is stored as what changes another into it. */
async function putPack(
  git: string,
  whole: readonly Made[],
  { target, base }: { target: Made; base: Made },
): Promise<void> {
  const kinds = { commit: 1, tree: 2, blob: 3 };
  const head = (kind: number, size: number): Buffer => {
    const bytes = [(kind << 4) | (size & 15)];
    for (let rest = size >> 4; rest > 0; rest >>= 7) {
      bytes[bytes.length - 1]! |= 0x80;
      bytes.push(rest & 0x7f);
    }
    return Buffer.from(bytes);
  };
  const parts: Buffer[] = [Buffer.from('PACK\0\0\0\x02\0\0\0\x05', 'latin1')];
  const offsets = new Map<string, number>();
  const add = (id: string, bytes: Buffer): void => {
    offsets.set(id, Buffer.concat(parts).length);
    parts.push(bytes);
  };
  for (const { type, body, id } of whole)
    add(id, Buffer.concat([head(kinds[type], body.length), deflateSync(body)]));
  const at = base.body.indexOf('older');
  const tail = target.body.length - at - 'committed'.length;
  const delta = Buffer.concat([
    Buffer.from([base.body.length, target.body.length, 0x90, at, 'committed'.length]),
    Buffer.from('committed'),
    Buffer.from([0x91, at + 'older'.length, tail]),
  ]);
  const distance = Buffer.concat(parts).length - offsets.get(base.id)!;
  const back = distance < 128 ? [distance] : [((distance >> 7) - 1) | 0x80, distance & 0x7f];
  add(target.id, Buffer.concat([head(6, delta.length), Buffer.from(back), deflateSync(delta)]));
  await put(git, 'objects/pack/pack-x.pack', Buffer.concat(parts));

  const ids = [...offsets.keys()].sort();
  const index = Buffer.alloc(8 + 1024 + ids.length * 28);
  index.writeUInt32BE(0xff744f63, 0);
  index.writeUInt32BE(2, 4);
  for (let byte = 0; byte < 256; byte++)
    index.writeUInt32BE(ids.filter((id) => Number.parseInt(id.slice(0, 2), 16) <= byte).length, 8 + byte * 4);
  for (const [row, id] of ids.entries()) {
    Buffer.from(id, 'hex').copy(index, 1032 + row * 20);
    index.writeUInt32BE(offsets.get(id)!, 1032 + ids.length * 24 + row * 4);
  }
  await put(git, 'objects/pack/pack-x.idx', index);
}
