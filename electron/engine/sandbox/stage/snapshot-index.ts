import { readFileSync, renameSync, writeFileSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

/** What a file looked like when it was copied: size, times, identity, mode, and whether a later change could look the same. */
const IndexEntry = z.tuple([
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.number(),
  z.string(),
  z.boolean(),
]);
export type IndexEntry = z.infer<typeof IndexEntry>;

const Index = z.object({
  version: z.literal(1),
  tree: z.string().regex(/^tree-\w+$/),
  entries: z.record(z.string(), IndexEntry),
});

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
    const { tree, entries } = Index.parse(JSON.parse(readFileSync(join(folder, 'index.json'), 'utf8')));
    return { tree, entries: new Map(Object.entries(entries)) };
  } catch {
    return undefined; // None yet, or damaged: everything is copied anew, which costs time and nothing else.
  }
}

export function writeIndex(folder: string, { tree, entries }: SnapshotIndex): void {
  const temporary = join(folder, `index-${process.pid}.json`);
  writeFileSync(temporary, JSON.stringify({ version: 1, tree, entries: Object.fromEntries(entries) }), {
    mode: 0o600,
  });
  renameSync(temporary, join(folder, 'index.json'));
}
