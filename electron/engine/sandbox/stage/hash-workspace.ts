import { lstatSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { hashFile, isRealFolder } from './hash-file.ts';
import { indexEntry, isUnchanged, type IndexEntry } from './snapshot-index.ts';
import { aliasesOfBlocked, listWorkspace, type WalkOptions } from './walk.ts';

/** Every file that scripts may see, by its content, and what is kept from them. Nothing was copied. */
export interface WorkspaceHashes {
  /** Path → what scripts see of it (`seenFile`), in the order of the paths. */
  readonly files: ReadonlyMap<string, string>;
  readonly blocked: readonly string[];
}

/** Files by path, in the order of the paths. */
export type HashedFiles = readonly (readonly [path: string, entry: IndexEntry])[];

/** Hashes what scripts may see of a workspace; a file that is certainly the known one is not opened. */
export async function hashWorkspace(
  root: string,
  options: WalkOptions,
  known: HashedFiles,
): Promise<{ files: HashedFiles; blocked: readonly string[] }> {
  const hashing = new Hashing(root, known);
  const blocked = await listWorkspace(root, options, (path) => hashing.add(path));
  const swapped = hashing.end();
  const aliases = await aliasesOfBlocked(root, hashing.shared);
  const files =
    aliases.size + swapped.size > 0
      ? hashing.files.filter(([path]) => !aliases.has(path) && !swapped.has(path))
      : hashing.files;
  const isSame = files.length === known.length && files.every((file, i) => file === known[i]);
  return { files: isSame ? known : files, blocked: [...blocked, ...aliases].sort() };
}

class Hashing {
  readonly files: (readonly [string, IndexEntry])[] = [];
  /** Files with several names; keeping what was seen of all files costs more than seeing it. */
  readonly shared: { path: string; stats: Stats }[] = [];
  readonly #root: string;
  readonly #known: HashedFiles;
  #next = 0;
  #folder = '';
  #opened: string[] = [];
  readonly #swapped = new Set<string>();

  constructor(root: string, known: HashedFiles) {
    this.#root = root;
    this.#known = known;
  }

  add(path: string): void {
    const known = this.#find(path);
    if (known) {
      const stats = lstatSync(`${this.#root}/${path}`, { throwIfNoEntry: false });
      if (stats && isUnchanged(known[1], stats)) {
        if (stats.nlink > 1) this.shared.push({ path, stats });
        this.files.push(known);
        return;
      }
    }
    this.#open(path);
  }

  /** Paths that led somewhere else when they were opened. */
  end(): ReadonlySet<string> {
    this.#closeFolder();
    return this.#swapped;
  }

  #open(path: string): void {
    const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
    if (folder !== this.#folder) {
      this.#closeFolder();
      this.#folder = folder;
    }
    const hashed = hashFile(`${this.#root}/${path}`);
    if (!hashed) return;
    const { stats, sha256 } = hashed;
    if (stats.nlink > 1) this.shared.push({ path, stats });
    this.files.push([path, indexEntry(stats, sha256, Date.now())]);
    this.#opened.push(path);
  }

  /** A folder above can have been swapped for a link meanwhile; asking once for all its files is what makes this quick. */
  #closeFolder(): void {
    if (this.#opened.length === 0) return;
    if (!isRealFolder(join(this.#root, this.#folder))) {
      for (const path of this.#opened) this.#swapped.add(path);
    }
    this.#opened = [];
  }

  /** Both lists are in order, so what is looked for is ahead or not there. */
  #find(path: string): HashedFiles[number] | undefined {
    for (let known = this.#known[this.#next]; known; known = this.#known[++this.#next]) {
      if (known[0] === path) return known;
      if (known[0] > path) return undefined;
    }
    return undefined;
  }
}
