import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readSync,
  renameSync,
  rmSync,
  utimesSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '#shared/model/fingerprint.ts';
import { digestOf } from '../store/digest.ts';
import { isMarkAlive, ownMark } from '../store/process-mark.ts';

const { O_CREAT, O_EXCL, O_NONBLOCK, O_NOFOLLOW = 0, O_RDONLY, O_WRONLY } = constants;
const readFlags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK;
/** Results are small: to give each its own memory, and to ask first how long it is, takes a fifth of a look-up. */
const shared = Buffer.allocUnsafeSlow(64 * 1024);
const maxAside = 32;
const maxAsideBytes = 1_000_000;
const strayAgeMs = 60 * 60 * 1000;

/** Bytes that are what their name says; or why there are none. `unreadable` may pass, the others do not. */
export type BlobRead = Buffer | 'missing' | 'damaged' | 'unreadable';

/** Files named by the SHA-256 of their bytes. Each appears whole or not at all, and is checked when it is read. */
export class BlobStore {
  readonly #folder: string;
  readonly #mark = ownMark();
  /** Written or read whole by this process. */
  readonly #good = new Set<Digest>();
  #counter = 0;

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** A name in the store's own folder for something that is being written. */
  temporary(): string {
    return join(this.#folder, 'tmp', `${this.#mark}-${this.#counter++}`);
  }

  /**
   * Not written through to the disk: after a power cut a file may be short or empty, which is found out when it is read
   * and costs a run of the skill.
   */
  write(digest: Digest, bytes: Uint8Array): void {
    const path = this.#path(digest);
    if (this.#isThere(digest, bytes.length)) return;
    const temporary = this.temporary();
    try {
      this.#writeNew(temporary, bytes);
      renameIntoFolder(temporary, path);
      this.#good.add(digest);
    } catch (error) {
      rmSync(temporary, { force: true });
      throw error;
    }
  }

  /** The bytes, if there are exactly this many and they have this digest; others are set aside. */
  read(digest: Digest, bytes: number): BlobRead {
    let fd: number;
    try {
      fd = openSync(this.#path(digest), readFlags);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
      return code === 'ELOOP' ? this.#damaged(digest) : 'unreadable';
    }
    try {
      const content = readUpTo(fd, bytes + 1);
      return content.length === bytes && digestOf(content) === digest ? content : this.#damaged(digest);
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'EISDIR' ? this.#damaged(digest) : 'unreadable';
    } finally {
      closeSync(fd);
    }
  }

  /** The text in a blob; undefined for every reason there can be, which `read` finds out. */
  readText(digest: Digest, bytes: number): string | undefined {
    if (bytes >= shared.length) {
      const content = this.read(digest, bytes);
      return typeof content === 'string' ? undefined : content.toString('utf8');
    }
    let fd: number | undefined;
    try {
      fd = openSync(this.#path(digest), readFlags);
      // One byte more than there should be: a file that goes on is not the one that was stored.
      const length = readSync(fd, shared, 0, bytes + 1, null);
      if (length !== bytes || digestOf(shared.subarray(0, bytes)) !== digest) return undefined;
      return shared.toString('utf8', 0, bytes);
    } catch {
      return undefined;
    } finally {
      if (fd !== undefined) closeSync(fd);
    }
  }

  /** Removes a blob that nothing refers to, unless somebody stored it again since `before`. */
  remove(digest: Digest, before: number): void {
    const path = this.#path(digest);
    try {
      if (lstatSync(path).mtimeMs < before) rmSync(path, { force: true, recursive: true });
    } catch {
      // Gone already, or not ours to remove: the next sweep tries again.
    }
  }

  /** Removes what nothing refers to, and what dead processes left half-written. */
  sweep(isKnown: (digest: Digest) => boolean, now: number): void {
    for (const name of this.#list('tmp')) {
      if (!isMarkAlive(name.slice(0, name.lastIndexOf('-')))) this.#discard('tmp', name);
    }
    for (const prefix of this.#list('blobs')) {
      for (const digest of this.#list('blobs', prefix)) {
        if (!isKnown(digest)) this.remove(digest, now - strayAgeMs);
      }
    }
  }

  #path(digest: Digest): string {
    return blobPath(this.#folder, digest);
  }

  /**
   * Whether it need not be written. Its time is renewed, so that nobody who counts it as unused removes it now. What only
   * looks like it, and what is no file, is out of the way afterwards.
   */
  #isThere(digest: Digest, bytes: number): boolean {
    const path = this.#path(digest);
    const stats = lstatSync(path, { throwIfNoEntry: false });
    if (!stats) return false;
    const isGood = stats.isFile() && stats.size === bytes && this.#good.has(digest);
    if (!isGood && typeof this.read(digest, bytes) === 'string') return false;
    this.#good.add(digest);
    const now = new Date();
    utimesSync(path, now, now);
    return true;
  }

  #writeNew(path: string, bytes: Uint8Array): void {
    const flags = O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW;
    let fd: number;
    try {
      fd = openSync(path, flags, 0o600);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
      mkdirSync(join(this.#folder, 'tmp'), { recursive: true, mode: 0o700 });
      fd = openSync(path, flags, 0o600);
    }
    try {
      // One write may take only part of it, as on a disk that fills up: a file cut short must never get the name.
      for (let at = 0; at < bytes.length;) at += writeSync(fd, bytes, at);
    } finally {
      closeSync(fd);
    }
  }

  #damaged(digest: Digest): 'damaged' {
    try {
      const aside = join(this.#folder, 'aside');
      mkdirSync(aside, { recursive: true, mode: 0o700 });
      const isSmall = lstatSync(this.#path(digest)).size <= maxAsideBytes;
      if (isSmall && this.#list('aside').length < maxAside) {
        rmSync(join(aside, digest), { recursive: true, force: true });
        renameSync(this.#path(digest), join(aside, digest));
      } else rmSync(this.#path(digest), { recursive: true, force: true });
    } catch {
      // It stays where it is and is found damaged again: a miss each time, never a wrong answer.
    }
    return 'damaged';
  }

  #list(...names: readonly string[]): string[] {
    try {
      return readdirSync(join(this.#folder, ...names));
    } catch {
      return []; // Not made yet, or no folder.
    }
  }

  #discard(...names: readonly string[]): void {
    rmSync(join(this.#folder, ...names), { force: true, recursive: true });
  }
}

/** Where a blob is below the folder of a cache. */
export function blobPath(folder: string, digest: Digest): string {
  return `${folder}/blobs/${digest.slice(0, 2)}/${digest}`;
}

function renameIntoFolder(temporary: string, path: string): void {
  const folder = path.slice(0, path.lastIndexOf('/'));
  const makeFolder = () => mkdirSync(folder, { recursive: true, mode: 0o700 });
  // In a new cache most are not there yet, and an error takes longer than a look.
  if (!existsSync(folder)) makeFolder();
  try {
    renameSync(temporary, path);
  } catch (error) {
    // Somebody cleared the cache just now.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    makeFolder();
    renameSync(temporary, path);
  }
}

function readUpTo(fd: number, limit: number): Buffer {
  const stats = limit > 1_000_000 ? fstatSync(fd) : undefined;
  // Not more memory than there is file: the length in a line may be that of something huge that is no longer there.
  const buffer = Buffer.allocUnsafe(stats ? Math.min(limit, stats.size + 1) : limit);
  let length = 0;
  while (length < buffer.length) {
    const read = readSync(fd, buffer, length, buffer.length - length, null);
    if (read === 0) break;
    length += read;
  }
  return buffer.subarray(0, length);
}
