import { chmodSync, lstatSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { installKey, isInstallKeyKept } from '../store/install-key.ts';
import { tryLock } from '../store/try-lock.ts';
import { BlobStore } from './blob-store.ts';
import { LineSigner, type CacheLine } from './cache-line.ts';
import { CacheState } from './cache-state.ts';
import { IndexFile, setAside } from './index-file.ts';
import { cacheFolder, type IndexPosition } from './kept-standing.ts';

const minUselessBytes = 1_000_000;
const minUnsealed = 256;

/**
 * The files of the cache below a user's home, and what they say. Nothing here throws for what is wrong with them: what
 * cannot be read is not there, what cannot be written is told once as a warning.
 */
export class CacheStore implements Disposable {
  readonly folder: string;
  readonly blobs: BlobStore;
  readonly #index: IndexFile;
  #state = new CacheState();
  #warning: string | undefined;
  #isUsable: boolean;
  #isPrepared = false;

  constructor(home: string) {
    this.folder = cacheFolder(home);
    this.blobs = new BlobStore(this.folder);
    this.#index = new IndexFile(join(this.folder, 'index'), new LineSigner(installKey(home)));
    const problem = this.#problemOfFolders() ?? problemOfKey(home);
    this.#isUsable = problem === undefined;
    if (problem === undefined) this.refresh();
    else this.warn(problem);
  }

  get state(): CacheState {
    return this.#state;
  }

  /** What the user should be told, once. */
  takeWarning(): string | undefined {
    const warning = this.#warning;
    this.#warning = undefined;
    return warning;
  }

  warn(problem: string): void {
    this.#warning ??= `Cannot use the cache in "${this.folder}", so that skills run again: ${problem}`;
  }

  /** Takes in what other processes did meanwhile. */
  refresh(): void {
    if (!this.#isUsable) return;
    try {
      const { isNew, lines, aside } = this.#index.read();
      if (aside !== undefined) this.warn(`its index was too long, and is now "${aside}"`);
      if (isNew) this.#state = new CacheState();
      for (const line of lines) this.#state.apply(line);
    } catch (error) {
      this.warn((error as Error).message);
    }
  }

  /** Says whether the lines are in the index now. */
  append(lines: readonly CacheLine[]): boolean {
    if (!this.#isUsable) return false;
    let areNext: boolean;
    try {
      this.prepare();
      areNext = this.#index.append(lines);
    } catch (error) {
      this.warn((error as Error).message);
      return false;
    }
    if (areNext) for (const line of lines) this.#state.apply(line);
    else this.refresh();
    return true;
  }

  /** Makes the folders. Throws where that fails. */
  prepare(): void {
    if (!this.#isUsable) throw new Error('it is not a folder of its own');
    if (this.#isPrepared) return;
    mkdirSync(join(this.folder, 'tmp'), { recursive: true, mode: 0o700 });
    // Made by somebody less careful: what skills print is nobody else's business.
    const parent = join(this.folder, '..');
    if ((lstatSync(parent).mode & 0o077) !== 0) chmodSync(parent, 0o700);
    this.#isPrepared = true;
  }

  /** Does the work while no other process does such work; busy where another one does, failed where nothing can be written. */
  locked(work: () => void): 'done' | 'busy' | 'failed' {
    let lock: Disposable | undefined;
    try {
      this.prepare();
      lock = tryLock(join(this.folder, 'lock'));
      if (!lock) return 'busy';
      this.refresh();
      work();
      return 'done';
    } catch (error) {
      this.warn((error as Error).message);
      return 'failed';
    } finally {
      lock?.[Symbol.dispose]();
    }
  }

  /** How far the index was read; undefined where it has lines that are not ours, or is none. */
  get position(): IndexPosition | undefined {
    const { identity, bytes, leastBytes, hasBadLines } = this.#index;
    if (!this.#isUsable || identity === '' || hasBadLines) return undefined;
    return { identity, bytes, tidyAt: 2 * leastBytes + minUselessBytes };
  }

  /** Keeps the index short and quick to open. */
  tidy(now: number): void {
    const { bytes, leastBytes, hasBadLines } = this.#index;
    if (hasBadLines || bytes > 2 * leastBytes + minUselessBytes) this.compact(now);
    else if (this.#index.unsealed > minUnsealed) this.locked(() => this.#index.seal());
  }

  /** Writes the index anew with nothing useless in it. */
  compact(now: number): void {
    this.locked(() => {
      this.#index.replace(this.#state.lines(now), this.blobs.temporary());
      this.refresh();
      this.blobs.sweep((digest) => this.#state.blobBytes(digest) !== undefined, now);
    });
  }

  /**
   * Removes all that is kept without writing anything; says whether it is gone. The index first: a blob that nobody names
   * costs only room. A process that is at work meanwhile misses what it was about to read, and keeps what it stores in a new index.
   */
  removeAll(): boolean {
    if (!this.#isUsable) return false;
    try {
      for (const name of ['index', 'blobs', 'aside'])
        rmSync(join(this.folder, name), { recursive: true, force: true });
      this.blobs.sweep(() => true, Date.now()); // What dead processes left half-written may be most of it.
    } catch (error) {
      this.warn((error as Error).message);
      return false;
    }
    this.refresh();
    this.takeWarning(); // That there was no room is no news any more.
    return true;
  }

  [Symbol.dispose](): void {
    this.#index[Symbol.dispose]();
  }

  /** Through a link, results would be read from and written to a place that somebody else chose. */
  #problemOfFolders(): string | undefined {
    for (const folder of [join(this.folder, '..'), this.folder, join(this.folder, 'blobs')]) {
      try {
        const stats = lstatSync(folder, { throwIfNoEntry: false });
        if (!stats) break;
        if (!stats.isDirectory()) return `"${folder}" is a link or a file`;
      } catch (error) {
        return (error as Error).message;
      }
    }
    this.#setAsideIfNoFile(join(this.folder, 'index'));
    return undefined;
  }

  #setAsideIfNoFile(path: string): void {
    try {
      const stats = lstatSync(path, { throwIfNoEntry: false });
      if (stats && !stats.isFile()) setAside(path);
    } catch (error) {
      this.warn((error as Error).message);
    }
  }
}

/** Signed with a key that only this process has, results would be lost on all others, and theirs on this one. */
function problemOfKey(home: string): string | undefined {
  return isInstallKeyKept(home) ? undefined : `the key in "${home}" cannot be kept`;
}
