import { dirname, join } from 'node:path';
import { hashFile, isRealFolder } from './hash-file.ts';
import { Pace } from './pace.ts';
import { indexEntry, isUnchanged, type IndexEntry } from './snapshot-index.ts';
import { listWorkspace, withoutAliases, type VisibleFile, type WalkOptions } from './walk.ts';

/** Every file that scripts may see, by its content, and what is kept from them. Nothing was copied. */
export interface WorkspaceHashes {
  /** Path → SHA-256, in the order of the paths. */
  readonly files: ReadonlyMap<string, string>;
  readonly blocked: readonly string[];
}

export interface HashedWorkspace {
  readonly entries: ReadonlyMap<string, IndexEntry>;
  readonly blocked: readonly string[];
  /** False when every entry is the one that was known, and none went away. */
  readonly isChanged: boolean;
}

interface Hashed extends VisibleFile {
  readonly entry: IndexEntry;
}

/** Hashes what scripts may see of a workspace; a file that is certainly the known one is not opened. */
export async function hashWorkspace(
  root: string,
  options: WalkOptions,
  known: ReadonlyMap<string, IndexEntry>,
): Promise<HashedWorkspace> {
  const listing = await listWorkspace(root, options, (path) => known.has(path));
  const pace = new Pace();
  const found: Hashed[] = [];
  let kept = 0;
  let folder = '';
  let fresh: Hashed[] = [];
  const closeFolder = () => {
    // A folder that was swapped for a link meanwhile showed files of somewhere else.
    if (fresh.length > 0 && isRealFolder(join(root, folder))) found.push(...fresh);
    fresh = [];
  };
  for (const { path, stats } of listing.files) {
    const entry = known.get(path);
    if (stats && isUnchanged(entry, stats)) {
      found.push({ path, stats, entry });
      kept++;
      continue;
    }
    if (dirname(path) !== folder) {
      closeFolder();
      folder = dirname(path);
    }
    const hashed = hashFile(`${root}/${path}`);
    if (hashed) {
      fresh.push({ path, stats: hashed.stats, entry: indexEntry(hashed.stats, hashed.sha256, Date.now()) });
    }
    if (pace.isDue) await pace.rest();
  }
  closeFolder();
  // Kept files were found before the fresh ones of their folder.
  if (found.length !== kept) found.sort((a, b) => (a.path < b.path ? -1 : 1));
  const { files, blocked } = await withoutAliases(root, { files: found, blocked: listing.blocked });
  const isChanged = files.length !== kept || known.size !== kept;
  const entries = isChanged ? new Map(files.map(({ path, entry }) => [path, entry])) : known;
  return { entries, blocked, isChanged };
}
