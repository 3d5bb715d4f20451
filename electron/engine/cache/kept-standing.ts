import { closeSync, constants, fstatSync, lstatSync, openSync } from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '#shared/model/fingerprint.ts';
import type { ResultOrigin } from '#shared/model/plan.ts';
import { installKey } from '../store/install-key.ts';
import { ownMark } from '../store/process-mark.ts';
import { blobPath } from './blob-store.ts';
import { LineSigner } from './cache-line.ts';
import { identityOf, IndexFile, readAll } from './index-file.ts';
import { dayOf } from './cache-state.ts';

/** How far an index was read, and how long it may become before it has to be written anew. */
export interface IndexPosition {
  readonly identity: string;
  readonly bytes: number;
  readonly tidyAt: number;
}

/** A kept result: where it comes from, and what its file looked like without being read. */
export interface StandingResult {
  readonly origin: ResultOrigin;
  readonly blob: Digest;
  readonly stamp: string;
}

/** That results were kept when an index was read so far. */
export interface Standing {
  readonly position: IndexPosition;
  readonly results: readonly StandingResult[];
}

/** The folder of the cache below a user's home. */
export function cacheFolder(home: string): string {
  return join(home, 'cache', 'v1');
}

/** What a blob looks like without being read: one that looks the same is the same file, written once. */
export function blobStamp(folder: string, digest: Digest): string {
  try {
    const stats = lstatSync(blobPath(folder, digest));
    return stats.isFile()
      ? `${stats.size}:${stats.mtimeMs}:${stats.ctimeMs}:${stats.ino}:${stats.dev}`
      : 'none';
  } catch {
    return 'none'; // Gone, or not ours to see.
  }
}

/**
 * Whether the index still says of all these keys what it said, by what was added to it since. Lines that only count or
 * note a use are passed over unread, signed or not, for they take nothing away.
 */
export function stillStands(home: string, position: IndexPosition, keys: readonly Digest[]): boolean {
  const path = join(cacheFolder(home), 'index');
  let fd: number | undefined;
  try {
    fd = openSync(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | constants.O_NONBLOCK);
    const stats = fstatSync(fd);
    const { bytes, identity, tidyAt } = position;
    if (identityOf(stats) !== identity || stats.size < bytes || stats.size > tidyAt) return false;
    if (stats.size === bytes) return true;
    const lines = tellingLines(readAll(fd, bytes, stats.size));
    if (lines.length === 0) return true;
    return takeNothing(new LineSigner(installKey(home)), lines, new Set(keys));
  } catch {
    return false; // No index, or none that may be read: whoever opens the cache says why.
  } finally {
    if (fd !== undefined) closeSync(fd);
  }
}

/** Notes that these results were used instead of running their skills; says whether it could. */
export function noteUses(home: string, keys: readonly Digest[], now: number, savedMs: number): boolean {
  const index = new IndexFile(join(cacheFolder(home), 'index'), new LineSigner(installKey(home)));
  try {
    index.append([
      { t: 'use', at: now, by: ownMark(), keys },
      { t: 'day', day: dayOf(now), hits: keys.length, misses: 0, saved: Math.round(savedMs) },
    ]);
    return true;
  } catch {
    return false; // Whoever opens the cache says why it cannot be written.
  } finally {
    index[Symbol.dispose]();
  }
}

const harmless = /^[\w-]{43} \{"t":"(?:use|day|seal)"/;

function tellingLines(bytes: Buffer): string[] {
  const lines: string[] = [];
  for (let start = 0; start < bytes.length;) {
    const found = bytes.indexOf(0x0a, start);
    const end = found < 0 ? bytes.length : found;
    // Lines of uses are long, and their beginning says what they are.
    const isTelling =
      end > start && !harmless.test(bytes.toString('latin1', start, Math.min(end, start + 64)));
    if (isTelling) lines.push(bytes.toString('utf8', start, end));
    start = end + 1;
  }
  return lines;
}

/** A line that is not ours says nothing, but the index wants to be written anew without it. */
function takeNothing(signer: LineSigner, lines: readonly string[], keys: ReadonlySet<Digest>): boolean {
  return lines.every((text) => {
    const line = signer.open(text);
    if (!line || line.t === 'clear') return false;
    return (line.t !== 'put' && line.t !== 'gone') || !keys.has(line.key);
  });
}
