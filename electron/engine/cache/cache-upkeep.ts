import { setImmediate, setTimeout as delay } from 'node:timers/promises';
import { StudioError } from '#shared/errors.ts';
import type { CacheCheck, CacheClear } from '#shared/model/cache.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import { isMarkAlive, ownMark } from '../store/process-mark.ts';
import type { BlobRead } from './blob-store.ts';
import type { CacheLimits } from './cache-limits.ts';
import type { GoneLine } from './cache-line.ts';
import { pastOf, type KnownEntry } from './cache-state.ts';
import type { CacheStore } from './cache-store.ts';
import { parseStored, type StoredResult } from './stored-result.ts';

/** How long a result counts as in use after a living process used it: a run reads proposed files when it ends. */
const inUseMs = 60 * 60 * 1000;
/** Room is made for more than one result at a time. */
const fullShare = 0.9;
const lockWaits = 500;
const lockWaitMs = 20;

/** Drops what was not used for long, and the longest unused beyond the limits; never what is in use. */
export function dropOld(store: CacheStore, limits: CacheLimits, now: number): void {
  if (victimsOf(store, limits, now).length === 0) return;
  store.locked(() => drop(store, victimsOf(store, limits, now), 'evicted'));
}

/** Drops what the filter means; says how many entries. Throws when another process keeps the cache busy. */
export async function clearEntries(store: CacheStore, filter: CacheClear, now: number): Promise<number> {
  const isAll = Object.values(filter).every((wish) => wish === undefined);
  let cleared = 0;
  const work = () => {
    const meant = [...store.state.entries.values()].filter((entry) => isMeant(entry, filter, now));
    cleared = meant.length;
    const isCleared = !isAll || store.append([{ t: 'clear' }]);
    if (!isCleared || !drop(store, meant, 'cleared')) throw new Error('nothing can be written');
  };
  try {
    await untilLocked(store, work);
  } catch (error) {
    if (!isAll || (error as StudioError).code !== 'cache.unwritable') throw error;
    // Lines and locks need room, which is what a full disk is cleared for.
    cleared = store.state.entries.size;
    if (!store.removeAll()) throw error;
    return cleared;
  }
  store.compact(now);
  return cleared;
}

/** Reads every blob of every entry; entries with damaged ones are dropped. */
export async function verifyEntries(store: CacheStore, now: number): Promise<CacheCheck> {
  store.refresh();
  const reads = new Map<Digest, 'good' | Exclude<BlobRead, Buffer>>();
  const damaged: KnownEntry[] = [];
  const unreadable: Digest[] = [];
  const entries = [...store.state.entries.values()];
  for (const entry of entries) {
    for (const [digest, bytes] of entry.blobs) {
      if (reads.has(digest)) continue;
      const read = store.blobs.read(digest, bytes);
      reads.set(digest, typeof read === 'string' ? read : 'good');
      await setImmediate();
    }
    const found = new Set(entry.blobs.map(([digest]) => reads.get(digest)!));
    if (found.has('missing') || found.has('damaged')) damaged.push(entry);
    // What cannot be read now, as with too many open files, may be whole.
    else if (found.has('unreadable')) unreadable.push(entry.key);
  }
  if (damaged.length > 0) drop(store, damaged, 'damaged');
  store.compact(now);
  const { bytes } = store.state;
  return { checked: entries.length, damaged: damaged.map(({ key }) => key), unreadable, bytes };
}

async function untilLocked(store: CacheStore, work: () => void): Promise<void> {
  for (let waited = 0; waited < lockWaits; waited++) {
    const outcome = store.locked(work);
    if (outcome === 'done') return;
    if (outcome === 'failed') {
      const why = store.takeWarning() ?? 'Cannot write the cache';
      const message = `${why}; delete the folder "${store.folder}" to clear it by hand`;
      throw new StudioError('cache.unwritable', message, { folder: store.folder });
    }
    await delay(lockWaitMs);
  }
  throw new StudioError('cache.busy', 'Cannot clear the cache: another process is at work on it, try again', {
    folder: store.folder,
  });
}

function victimsOf({ state }: CacheStore, limits: CacheLimits, now: number): KnownEntry[] {
  const { maxBytes, maxAgeMs, maxEntries } = limits;
  const isOver = state.bytes > maxBytes || state.entries.size > maxEntries;
  const entries = [...state.entries.values()];
  const isInUse = usesOfLiving(now);
  if (!isOver) return entries.filter((entry) => entry.used < now - maxAgeMs && !isInUse(entry));
  let bytes = state.bytes;
  let count = entries.length;
  const victims: KnownEntry[] = [];
  for (const entry of entries.sort((a, b) => a.used - b.used)) {
    const isOld = entry.used < now - maxAgeMs;
    if (!isOld && bytes <= maxBytes * fullShare && count <= maxEntries * fullShare) break;
    if (isInUse(entry)) continue;
    victims.push(entry);
    count--;
    bytes -= entry.blobs.reduce((sum, [, size]) => sum + size, 0);
  }
  return victims;
}

/** Whether a living process used or stored an entry not long ago. What this one only stored may make room for more of its own. */
function usesOfLiving(now: number): (entry: KnownEntry) => boolean {
  const own = ownMark();
  const alive = new Map<string, boolean>();
  return ({ used, by, hits }) => {
    if (by === '' || used <= now - inUseMs) return false;
    if (by === own) return hits > 0;
    if (!alive.has(by)) alive.set(by, isMarkAlive(by));
    return alive.get(by)!;
  };
}

function isMeant({ skill, key, used }: KnownEntry, filter: CacheClear, now: number): boolean {
  if (filter.key !== undefined && filter.key !== key) return false;
  if (filter.skill !== undefined && !isSkill(skill, filter.skill)) return false;
  return filter.olderThanMs === undefined || used < now - filter.olderThanMs;
}

/** Whether an id is meant by itself or by the name at its end. */
export function isSkill(id: string, named: string): boolean {
  return id === named || id.slice(id.lastIndexOf(':') + 1) === named;
}

/** The lines first: a blob that is missing although an entry names it costs a miss, one that nobody names costs only room. */
function drop(store: CacheStore, entries: readonly KnownEntry[], why: GoneLine['why']): boolean {
  if (entries.length === 0) return true;
  const lines = entries.map((entry): GoneLine => {
    const past = why === 'cleared' ? undefined : pastOf(entry, fingerprintOf(store, entry));
    return { t: 'gone', why, key: entry.key, of: entry.at, ...(past && { past }) };
  });
  const startedAt = Date.now();
  if (!store.append(lines)) return false;
  const blobs = new Set(entries.flatMap((entry) => entry.blobs.map(([digest]) => digest)));
  for (const digest of blobs) {
    if (store.state.blobBytes(digest) === undefined) store.blobs.remove(digest, startedAt);
  }
  return true;
}

function fingerprintOf(
  store: CacheStore,
  { kind, key, skill, workspace, used, blobs }: KnownEntry,
): StoredResult['fingerprint'] | undefined {
  // Only the last one of a skill is ever compared with.
  const isLast = store.state.ofSkill(workspace, skill).every((other) => other.used <= used);
  if (kind !== 'action' || !isLast) return undefined;
  const text = store.blobs.readText(...blobs[0]!);
  return text === undefined ? undefined : parseStored<StoredResult>(text, key)?.fingerprint;
}
