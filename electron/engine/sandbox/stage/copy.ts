import { createHash } from 'node:crypto';
import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  openSync,
  readSync,
  readlinkSync,
  writeSync,
  type Stats,
} from 'node:fs';
import { join } from 'node:path';
import { handOverMode, type Identity } from '../identity.ts';

const buffer = Buffer.allocUnsafe(256 * 1024);

/** Which file of which folder, as it was listed, and where to. */
export interface CopyJob {
  readonly root: string;
  readonly path: string;
  readonly listed: Stats;
  readonly target: string;
  readonly identity: Identity;
}

/** What was copied; undefined when the file is no longer the one that was listed. */
export interface Copied {
  readonly stats: Stats;
  readonly sha256: string;
}

/**
 * Copies one file and hashes the very bytes that were copied. A file that was swapped since it was listed, itself or a
 * folder above it, is left out: a swap is how a link gets past a check.
 */
export function copyFile(job: CopyJob): Copied | undefined {
  const { root, path, listed, target, identity } = job;
  const source = openListed(root, path, listed);
  if (!source) return undefined;
  try {
    const hash = createHash('sha256');
    const out = openSync(
      target,
      constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW,
      0o600,
    );
    try {
      for (let length = readSync(source.fd, buffer); length > 0; length = readSync(source.fd, buffer)) {
        const bytes = buffer.subarray(0, length);
        hash.update(bytes);
        for (let written = 0; written < length;) written += writeSync(out, bytes, written);
      }
      if (identity.isDropped) fchownSync(out, 0, identity.gid);
      fchmodSync(out, handOverMode(identity, (source.stats.mode & 0o100) !== 0));
    } finally {
      closeSync(out);
    }
    return { stats: source.stats, sha256: hash.digest('hex') };
  } finally {
    closeSync(source.fd);
  }
}

function openListed(root: string, path: string, listed: Stats): { fd: number; stats: Stats } | undefined {
  let fd: number;
  try {
    fd = openSync(join(root, path), constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
  } catch {
    return undefined; // Deleted, made a link, or not readable for us: scripts do not see it either.
  }
  const stats = fstatSync(fd);
  if (
    stats.isFile() &&
    stats.dev === listed.dev &&
    stats.ino === listed.ino &&
    isReally(fd, join(root, path))
  ) {
    return { fd, stats };
  }
  closeSync(fd);
  return undefined;
}

/** Where the kernel can tell, the path of the open file itself; a link in a folder above would show here. */
function isReally(fd: number, path: string): boolean {
  return process.platform !== 'linux' || readlinkSync(`/proc/self/fd/${fd}`) === path;
}
