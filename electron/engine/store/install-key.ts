import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  constants,
  fstatSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { tryLock } from './try-lock.ts';

const keyBytes = 32;
/** How long another process may take to remove a damaged key. */
const mostWaitedMs = 1000;
const pause = new Int32Array(new SharedArrayBuffer(4));
const keys = new Map<string, Buffer>();

/**
 * The secret of this installation, made at first use: what it signs was written by this user's Sunwell and by nobody
 * else. Where it cannot be kept it lasts as long as the process, and what was signed before counts as foreign.
 */
export function installKey(home: string): Buffer {
  const known = keys.get(home);
  if (known) return known;
  const key = openKey(join(home, 'install.key'), home);
  keys.set(home, key);
  return key;
}

/** Whether the next process will have the same key: one that could not be written, or not be read, is this process's own. */
export function isInstallKeyKept(home: string): boolean {
  return readKey(join(home, 'install.key'))?.equals(installKey(home)) ?? false;
}

function openKey(path: string, home: string): Buffer {
  const found = readKey(path);
  if (found) return found;
  const made = randomBytes(keyBytes);
  const temporary = `${path}.${process.pid}.${made.toString('hex', 0, 4)}`;
  try {
    mkdirSync(home, { recursive: true });
    writeKey(temporary, made);
    try {
      return linkKey(temporary, path) ?? made;
    } finally {
      rmSync(temporary, { force: true });
    }
  } catch {
    return made; // The folder cannot be written.
  }
}

/** Puts a whole key in its place; returns the key of another process that was quicker. */
function linkKey(temporary: string, path: string): Buffer | undefined {
  for (let waited = 0; waited < mostWaitedMs; waited++) {
    try {
      linkSync(temporary, path);
      return undefined;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const found = readKey(path);
    if (found) return found;
    if (!removeDamaged(path)) Atomics.wait(pause, 0, 0, 1);
  }
  return undefined;
}

/** A damaged key signs nothing any more. Removed by one process at a time: the next would take away what the first put there. */
function removeDamaged(path: string): boolean {
  using lock = tryLock(`${path}.lock`);
  // Where nothing is there another has just removed it, and a third may be about to put a good key in its place.
  const isThere = lstatSync(path, { throwIfNoEntry: false }) !== undefined;
  if (lock && isThere && !readKey(path)) rmSync(path, { force: true });
  return lock !== undefined;
}

function writeKey(path: string, key: Buffer): void {
  const fd = openSync(path, 'wx', 0o600);
  try {
    writeSync(fd, key);
    fsyncSync(fd);
  } finally {
    closeSync(fd);
  }
}

function readKey(path: string): Buffer | undefined {
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    if (!stats.isFile() || stats.size !== keyBytes) return undefined;
    // A key that others may read, as after a careless copy of the folder, is closed to them again.
    if ((stats.mode & 0o077) !== 0) chmodSync(path, 0o600);
    const key = readFileSync(fd);
    return key.length === keyBytes ? key : undefined;
  } catch {
    return undefined; // None yet, a link, or not ours to read.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}
