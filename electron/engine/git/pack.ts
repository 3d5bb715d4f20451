import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { constants, inflateSync } from 'node:zlib';
import { applyDelta } from './delta.ts';
import { maxObjectBytes } from './limits.ts';

/** One object of a repository, as it is stored. */
export interface GitObject {
  readonly type: 'commit' | 'tree' | 'blob' | 'tag';
  readonly body: Buffer;
}

/** Finds an object by its id, wherever it is stored. */
export type FindObject = (id: string) => Promise<GitObject | undefined>;

const longestChain = 64;
const types = [undefined, 'commit', 'tree', 'blob', 'tag'] as const;

/** Reads one object of a pack, or undefined where the pack does not have it. `path` is without its ending. */
export async function readPacked(path: string, id: string, find: FindObject): Promise<GitObject | undefined> {
  const index = await open(`${path}.idx`);
  try {
    const offset = await offsetIn(index, id);
    if (offset === undefined) return undefined;
    const pack = await open(`${path}.pack`);
    try {
      return await entryAt(pack, offset, find, 0);
    } finally {
      await pack.close();
    }
  } finally {
    await index.close();
  }
}

/** Looks the id up in an index of version 2: a table of counts by first byte, sorted ids, checksums, offsets. */
async function offsetIn(index: FileHandle, id: string): Promise<number | undefined> {
  const head = await bytesAt(index, 0, 8 + 1024);
  if (head.readUInt32BE(0) !== 0xff744f63 || head.readUInt32BE(4) !== 2) return undefined;
  const wanted = Buffer.from(id, 'hex');
  const count = (byte: number): number => (byte < 0 ? 0 : head.readUInt32BE(8 + byte * 4));
  const total = count(255);
  let [low, high] = [count(wanted[0]! - 1), count(wanted[0]!)];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const order = (await bytesAt(index, 1032 + middle * 20, 20)).compare(wanted);
    if (order === 0) {
      const offset = (await bytesAt(index, 1032 + total * 24 + middle * 4, 4)).readUInt32BE(0);
      if (offset < 0x80000000) return offset;
      const large = await bytesAt(index, 1032 + total * 28 + (offset - 0x80000000) * 8, 8);
      return Number(large.readBigUInt64BE(0));
    }
    if (order < 0) low = middle + 1;
    else high = middle;
  }
  return undefined;
}

/** An object as it is, or what a chain of changes makes of another one. */
async function entryAt(
  pack: FileHandle,
  offset: number,
  find: FindObject,
  depth: number,
): Promise<GitObject | undefined> {
  if (depth > longestChain) return undefined;
  const head = await bytesAt(pack, offset, 64);
  let at = 0;
  let byte = head[at++]!;
  const kind = (byte >> 4) & 7;
  let size = byte & 15;
  for (let shift = 4; byte & 0x80; shift += 7) {
    byte = head[at++]!;
    size += (byte & 0x7f) * 2 ** shift;
  }
  if (size > maxObjectBytes) return undefined;
  const type = types[kind];
  if (type !== undefined) return { type, body: await inflated(pack, offset + at, size) };
  let base: GitObject | undefined;
  if (kind === 6) {
    byte = head[at++]!;
    let distance = byte & 0x7f;
    while (byte & 0x80) {
      byte = head[at++]!;
      distance = (distance + 1) * 128 + (byte & 0x7f);
    }
    base = await entryAt(pack, offset - distance, find, depth + 1);
  } else if (kind === 7) {
    base = await find(head.subarray(at, at + 20).toString('hex'));
    at += 20;
  }
  if (!base) return undefined;
  return { type: base.type, body: applyDelta(base.body, await inflated(pack, offset + at, size)) };
}

async function inflated(pack: FileHandle, offset: number, size: number): Promise<Buffer> {
  // What does not shrink grows a little; more than this no stream of that size takes.
  const stored = await bytesAt(pack, offset, size + Math.ceil(size / 1000) + 128);
  return inflateSync(stored, { maxOutputLength: size + 1, finishFlush: constants.Z_SYNC_FLUSH });
}

async function bytesAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position);
  return buffer.subarray(0, bytesRead);
}
