import { createHash, hash } from 'node:crypto';
import { closeSync, constants, fstatSync, openSync, readSync, readlinkSync, type Stats } from 'node:fs';

const buffer = Buffer.allocUnsafeSlow(256 * 1024);

/** What a file held when it was read. */
export interface HashedFile {
  readonly stats: Stats;
  readonly sha256: string;
}

/** Reads and hashes a regular file that is no link itself; undefined where there is none to read. */
export function hashFile(path: string): HashedFile | undefined {
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined; // Deleted, made a link, or not readable for us: scripts do not see it either.
  }
  try {
    const stats = fstatSync(fd);
    return stats.isFile() ? { stats, sha256: hashBytes(fd, stats.size) } : undefined;
  } finally {
    closeSync(fd);
  }
}

function hashBytes(fd: number, size: number): string {
  const length = readSync(fd, buffer);
  // One call for the whole of a small file: a file that grew meanwhile has new times.
  if (length === size && length < buffer.length) return hash('sha256', buffer.subarray(0, length));
  const hashing = createHash('sha256').update(buffer.subarray(0, length));
  for (let more = length; more > 0;) {
    more = readSync(fd, buffer);
    hashing.update(buffer.subarray(0, more));
  }
  return hashing.digest('hex');
}

/** Says whether a folder is really where its path says: a link in a folder above would show here, where the kernel can tell. */
export function isRealFolder(path: string): boolean {
  if (process.platform !== 'linux') return true;
  let fd: number;
  try {
    fd = openSync(path, constants.O_RDONLY | constants.O_DIRECTORY | constants.O_NOFOLLOW);
  } catch {
    return false; // Gone, or swapped for a link since it was listed.
  }
  try {
    return readlinkSync(`/proc/self/fd/${fd}`) === path;
  } finally {
    closeSync(fd);
  }
}
