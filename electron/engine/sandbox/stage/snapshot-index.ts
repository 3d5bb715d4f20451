import { readFileSync, renameSync, writeFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';

/** What a file looked like when it was copied: size, times, identity, mode, content, and whether a later change could look the same. */
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

/** The files of one tree of copies, by path. */
export interface SnapshotIndex {
  readonly tree: string;
  readonly entries: ReadonlyMap<string, IndexEntry>;
}

/** Clocks of file systems tick this slowly at worst; a file changed within a tick of being read keeps its times. */
const clockTickMs = 50;

export function indexEntry(stats: Stats, sha256: string, readAtMs: number): IndexEntry {
  const isRecent = readAtMs - Math.max(stats.mtimeMs, stats.ctimeMs) < clockTickMs;
  return [stats.size, stats.mtimeMs, stats.ctimeMs, stats.ino, stats.dev, stats.mode, sha256, isRecent];
}

/** Says whether the file is certainly still the one that was copied. */
export function isUnchanged(entry: IndexEntry | undefined, stats: Stats): entry is IndexEntry {
  if (!entry) return false;
  const [size, mtimeMs, ctimeMs, ino, dev, mode, , isRecent] = entry;
  return (
    !isRecent &&
    size === stats.size &&
    mtimeMs === stats.mtimeMs &&
    ctimeMs === stats.ctimeMs &&
    ino === stats.ino &&
    dev === stats.dev &&
    mode === stats.mode
  );
}

export function readIndex(folder: string): SnapshotIndex | undefined {
  try {
    const index: unknown = JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8'));
    return isIndexFile(index)
      ? { tree: index.tree, entries: new Map(Object.entries(index.entries)) }
      : undefined;
  } catch {
    return undefined; // None yet, or damaged: everything is copied anew, which costs time and nothing else.
  }
}

interface IndexFile {
  readonly tree: string;
  readonly entries: Record<string, IndexEntry>;
}

/** By hand: a schema takes longer for 10,000 entries than looking at the files themselves. */
function isIndexFile(value: unknown): value is IndexFile {
  const { version, tree, entries } = value as Partial<IndexFile> & { version?: unknown };
  if (version !== 1 || typeof tree !== 'string' || !/^tree-\w+$/.test(tree)) return false;
  return typeof entries === 'object' && Object.values(entries).every(isEntry);
}

function isEntry(entry: unknown): boolean {
  return Array.isArray(entry) && entry.length === 8 && typeof entry[6] === 'string' && entry[6].length === 64;
}

export function writeIndex(folder: string, { tree, entries }: SnapshotIndex): void {
  const temporary = join(folder, `index-${process.pid}.json`);
  writeFileSync(temporary, JSON.stringify({ version: 1, tree, entries: Object.fromEntries(entries) }), {
    mode: 0o600,
  });
  renameSync(temporary, join(folder, 'index.json'));
}
