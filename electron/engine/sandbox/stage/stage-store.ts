import { createHash, randomBytes } from 'node:crypto';
import {
  linkSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  renameSync,
  rmSync,
  statSync,
  utimesSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import { seenFile } from '#shared/seen-file.ts';
import type { Identity } from '../identity.ts';
import { handOver } from '../private-folder.ts';
import { copyFile } from './copy.ts';
import { hashWorkspace, type HashedFiles, type WorkspaceHashes } from './hash-workspace.ts';
import { Pace } from '../../store/pace.ts';
import {
  indexEntry,
  isUnchanged,
  readIndex,
  writeIndex,
  type IndexEntry,
  type SnapshotIndex,
} from './snapshot-index.ts';
import { Snapshot } from './snapshot.ts';
import { dropUnused, makeMarks, newTreeName, TreeClaims } from './tree.ts';
import { walkWorkspace, type WalkOptions, type Walked } from './walk.ts';

const maxWorkspaces = 8;
const maxBytes = 2 * 1024 * 1024 * 1024;

/**
 * Copies of workspaces, kept from run to run so that an unchanged file is neither read nor copied again. A copy is never
 * changed: a run keeps the one it started with, and a changed workspace gets a new one that shares the unchanged files.
 *
 *   <folder>/<workspace>/hashes              what each file looked like when it was hashed
 *   <folder>/<workspace>/index               what each copied file looked like
 *   <folder>/<workspace>/tree-x/all/…        the copies
 *   <folder>/<workspace>/tree-x/view-y/…     links to some of them, for a skill that sees only those
 *   <folder>/<workspace>/tree-x/used-by/…    a name for every process that uses the tree
 *   <folder>/<workspace>/making-y/…          a tree that a process is about to claim
 */
export class StageStore {
  readonly #folder: string;
  readonly #identity: Identity;
  readonly #claims = new TreeClaims();
  readonly #indexes = new Map<string, SnapshotIndex>();
  readonly #hashes = new Map<string, { known: HashedFiles; files: WorkspaceHashes['files'] }>();
  readonly #busy = new Map<string, Promise<unknown>>();

  constructor(parent: string, identity: Identity) {
    this.#folder = join(parent, 'stages');
    this.#identity = identity;
    this.#makeFolder(this.#folder);
  }

  /** A copy of what scripts may see of the workspace now. */
  snapshot(workspace: string, options: WalkOptions = {}): Promise<Snapshot> {
    return this.#inTurn(workspace, options, (root, folder) => this.#take(root, folder, options));
  }

  /** What scripts may see of the workspace now, by content; copies nothing, and opens only files that may have changed. */
  hash(workspace: string, options: WalkOptions = {}): Promise<WorkspaceHashes> {
    return this.#inTurn(workspace, options, (root, folder) => this.#hash(root, folder, options));
  }

  /** Two runs of one workspace at once would read and copy everything twice. */
  async #inTurn<T>(
    workspace: string,
    options: WalkOptions,
    work: (root: string, folder: string) => Promise<T>,
  ): Promise<T> {
    const root = realFolder(workspace);
    const key = createHash('sha256').update(JSON.stringify([root, options.withIgnored ?? false]));
    const folder = join(this.#folder, key.digest('hex').slice(0, 32));
    const before = this.#busy.get(folder) ?? Promise.resolve();
    const taken = before.then(() => work(root, folder));
    const settled = taken.then(
      () => undefined,
      () => undefined,
    );
    this.#busy.set(folder, settled);
    return taken;
  }

  async #hash(root: string, folder: string, options: WalkOptions): Promise<WorkspaceHashes> {
    if (this.#makeFolder(folder)) this.#forgetOldest();
    const before = this.#hashes.get(folder);
    const known = before?.known ?? readHashes(folder);
    const { files: hashed, blocked } = await hashWorkspace(root, options, known);
    // Another process may have forgotten this workspace meanwhile, as the one that was unused for longest.
    this.#makeFolder(folder);
    utimesSync(folder, new Date(), new Date());
    if (before && hashed === known) return { files: before.files, blocked };
    if (hashed !== known) {
      if (sizeOf(hashed) > maxBytes) throw tooLarge(root);
      writeIndex(join(folder, 'hashes'), '', hashed);
    }
    const files = filesOf(hashed);
    this.#hashes.set(folder, { known: hashed, files });
    return { files, blocked };
  }

  async #take(root: string, folder: string, options: WalkOptions): Promise<Snapshot> {
    if (this.#makeFolder(folder)) this.#forgetOldest();
    const walked = await walkWorkspace(root, options);
    const known = this.#indexes.get(folder) ?? readIndex(join(folder, 'index'));
    const isKept = known !== undefined && this.#claims.claim(join(folder, known.tree));
    let index = known;
    if (!isKept || !isSame(known, walked)) {
      index = await this.#copy({ root, folder, known: isKept ? known : undefined, files: walked.files });
      if (isKept) this.#claims.release(join(folder, known.tree));
    }
    this.#indexes.set(folder, index!);
    dropUnused(folder, index!.tree);
    utimesSync(folder, new Date(), new Date());
    return this.#snapshotOf(folder, index!, walked.blocked);
  }

  #snapshotOf(folder: string, { tree, entries }: SnapshotIndex, blocked: readonly string[]): Snapshot {
    const path = join(folder, tree);
    const release = () => {
      this.#claims.release(path);
      dropUnused(folder, this.#indexes.get(folder)?.tree);
    };
    return new Snapshot({ tree: path, files: filesOf(entries), blocked, identity: this.#identity, release });
  }

  async #copy(job: {
    root: string;
    folder: string;
    known: SnapshotIndex | undefined;
    files: Walked['files'];
  }): Promise<SnapshotIndex> {
    const { root, folder, known } = job;
    const tree = `tree-${randomBytes(8).toString('hex')}`;
    const all = join(folder, tree, 'all');
    const old = known && join(folder, known.tree, 'all');
    const made = new Set<string>();
    const entries = new Map<string, IndexEntry>();
    const pace = new Pace();
    let bytes = 0;
    this.#makeTree(folder, tree);
    for (const { path, stats } of job.files) {
      bytes += stats.size;
      if (bytes > maxBytes) throw tooLarge(root);
      this.#makeFolders(all, dirname(path), made);
      const entry = known?.entries.get(path);
      if (old !== undefined && isUnchanged(entry, stats) && tryLink(join(old, path), join(all, path))) {
        entries.set(path, entry);
      } else {
        const copied = copyFile({
          root,
          path,
          listed: stats,
          target: join(all, path),
          identity: this.#identity,
        });
        if (copied) entries.set(path, indexEntry(copied.stats, copied.sha256, Date.now()));
      }
      if (pace.isDue) await pace.rest();
    }
    writeIndex(join(folder, 'index'), tree, [...entries]);
    return { tree, entries };
  }

  /** It gets its name when it is claimed: before, another process would take it for one that nobody uses. */
  #makeTree(folder: string, tree: string): void {
    const making = join(folder, newTreeName());
    for (const path of [folder, making, join(making, 'all')]) this.#makeFolder(path);
    makeMarks(making);
    renameSync(making, join(folder, tree));
    this.#claims.claim(join(folder, tree));
  }

  #makeFolders(all: string, path: string, made: Set<string>): void {
    if (path === '.' || made.has(path)) return;
    this.#makeFolders(all, dirname(path), made);
    this.#makeFolder(join(all, path));
    made.add(path);
  }

  /** True when it was not there. */
  #makeFolder(path: string): boolean {
    const isNew = mkdirSync(path, { recursive: true, mode: 0o700 }) !== undefined;
    if (isNew) handOver(path, this.#identity);
    return isNew;
  }

  #forgetOldest(): void {
    const folders = readdirSync(this.#folder)
      .map((name) => ({ path: join(this.#folder, name), at: lastUse(join(this.#folder, name)) }))
      .sort((a, b) => b.at - a.at);
    for (const { path } of folders.slice(maxWorkspaces)) {
      if (dropUnused(path)) rmSync(path, { recursive: true, force: true });
    }
  }
}

/** Of a folder that another process has removed just now: never. */
function lastUse(folder: string): number {
  return statSync(folder, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}

function realFolder(workspace: string): string {
  try {
    return realpathSync(workspace);
  } catch {
    throw new StudioError('workspace.not-found', `Cannot stage "${workspace}": the folder does not exist`);
  }
}

/** Nothing was added, removed or changed since the copy. */
function isSame({ entries }: SnapshotIndex, { files }: Walked): boolean {
  return (
    entries.size === files.length && files.every(({ path, stats }) => isUnchanged(entries.get(path), stats))
  );
}

function readHashes(folder: string): HashedFiles {
  const index = readIndex(join(folder, 'hashes')) ?? readIndex(join(folder, 'index'));
  return [...(index?.entries ?? [])];
}

function filesOf(entries: Iterable<HashedFiles[number]>): Map<string, string> {
  const files = new Map<string, string>();
  for (const [path, entry] of entries) files.set(path, seenFile(entry[6], entry[5]));
  return files;
}

function sizeOf(files: HashedFiles): number {
  let bytes = 0;
  for (const [, [size]] of files) bytes += size;
  return bytes;
}

function tooLarge(root: string): StudioError {
  return new StudioError(
    'workspace.too-large',
    `Cannot stage "${root}": its files that are not ignored have more than ${maxBytes} bytes`,
  );
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch {
    return false; // The file has too many links already: it is copied.
  }
}
