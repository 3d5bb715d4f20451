import { createHash } from 'node:crypto';
import { readFileSync, type Stats } from 'node:fs';
import { writeUnflushed } from '../../store/write-unflushed.ts';

/** What a file looked like when it was read: size, times, identity, mode, content, and whether a later change could look the same. */
export type IndexEntry = readonly [
  size: number,
  mtimeMs: number,
  ctimeMs: number,
  ino: number,
  dev: number,
  mode: number,
  sha256: string,
  isRecent: boolean,
];

/** The files of one workspace, by path in order. */
export interface SnapshotIndex {
  /** The tree of copies; empty where the files were only hashed. */
  readonly tree: string;
  readonly entries: ReadonlyMap<string, IndexEntry>;
}

/** Clocks of file systems tick this slowly at worst; a file changed within a tick of being read keeps its times. */
const clockTickMs = 50;

export function indexEntry(stats: Stats, sha256: string, readAtMs: number): IndexEntry {
  const isRecent = readAtMs - Math.max(stats.mtimeMs, stats.ctimeMs) < clockTickMs;
  return [stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino, stats.dev, stats.mode, sha256, isRecent];
}

/** Says whether the file is certainly still the one that was read. */
export function isUnchanged(entry: IndexEntry | undefined, stats: Stats): entry is IndexEntry {
  return (
    entry !== undefined &&
    !entry[7] &&
    entry[0] === stats.size &&
    entry[1] === stats.mtimeMs &&
    entry[2] === stats.ctimeMs &&
    entry[3] === stats.ino &&
    entry[4] === stats.dev &&
    entry[5] === stats.mode
  );
}

/*
 * The file, in columns because 10,000 entries of JSON take longer to parse than the files to look at:
 *   32 bytes   SHA-256 of the rest
 *    8 bytes   format, number of entries
 *   56 × n     size, mtimeMs, ctimeMs, ino, dev, mode, isRecent
 *   64 × n     SHA-256 of each file
 *   the rest   tree, then the paths, with NUL between
 */
const format = 2;
const headBytes = 40;
const numbers = 7;
const hexLength = 64;

export function readIndex(path: string): SnapshotIndex | undefined {
  try {
    return parseIndex(readFileSync(path));
  } catch {
    return undefined; // None yet, or not an index: everything is read anew, which costs time and nothing else.
  }
}

function parseIndex(bytes: Buffer): SnapshotIndex | undefined {
  if (bytes.length < headBytes || !digest(bytes.subarray(32)).equals(bytes.subarray(0, 32))) return undefined;
  if (bytes.readUInt32LE(32) !== format) return undefined;
  const count = bytes.readUInt32LE(36);
  const hashesAt = headBytes + count * numbers * 8;
  const namesAt = hashesAt + count * hexLength;
  const stamps = new Float64Array(new Uint8Array(bytes.subarray(headBytes, hashesAt)).buffer);
  const hashes = bytes.toString('latin1', hashesAt, namesAt);
  const [tree = '', ...paths] = bytes.toString('utf8', namesAt).split('\0');
  const entries = new Map<string, IndexEntry>();
  for (let i = 0; i < count; i++) {
    const at = i * numbers;
    entries.set(paths[i]!, [
      stamps[at]!,
      stamps[at + 1]!,
      stamps[at + 2]!,
      stamps[at + 3]!,
      stamps[at + 4]!,
      stamps[at + 5]!,
      hashes.slice(i * hexLength, (i + 1) * hexLength),
      stamps[at + 6] === 1,
    ]);
  }
  return { tree, entries };
}

export function writeIndex(
  path: string,
  tree: string,
  files: readonly (readonly [string, IndexEntry])[],
): void {
  const stamps = new Float64Array(files.length * numbers);
  const hashes: string[] = [];
  const names = [tree];
  let at = 0;
  for (const [name, entry] of files) {
    for (let i = 0; i < numbers - 1; i++) stamps[at++] = entry[i] as number;
    stamps[at++] = entry[7] ? 1 : 0;
    hashes.push(entry[6]);
    names.push(name);
  }
  const bytes = Buffer.concat([
    Buffer.alloc(headBytes),
    Buffer.from(stamps.buffer),
    Buffer.from(hashes.join(''), 'latin1'),
    Buffer.from(names.join('\0')),
  ]);
  bytes.writeUInt32LE(format, 32);
  bytes.writeUInt32LE(files.length, 36);
  digest(bytes.subarray(32)).copy(bytes);
  writeUnflushed(path, bytes);
}

function digest(bytes: Uint8Array): Buffer {
  return createHash('sha256').update(bytes).digest();
}
