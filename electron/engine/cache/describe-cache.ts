import { StudioError } from '#shared/errors.ts';
import type { CacheClear, CacheEntry, CacheEntryDetail, CacheStats } from '#shared/model/cache.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import { dayOf, type CacheState, type KnownEntry } from './cache-state.ts';
import { isSkill } from './cache-upkeep.ts';
import type { StoredResult, StoredVerdicts } from './stored-result.ts';

const shownDays = 30;

export function describeCache(state: CacheState, maxBytes: number, now: number): CacheStats {
  const days = [...state.days.values()];
  const sum = (part: 'hits' | 'misses' | 'saved') => days.reduce((total, day) => total + day[part], 0);
  const hits = sum('hits');
  const misses = sum('misses');
  const oldest = dayOf(now - shownDays * 24 * 60 * 60 * 1000);
  return {
    entries: state.entries.size,
    bytes: state.bytes,
    maxBytes,
    hits,
    misses,
    hitRate: hits + misses === 0 ? 0 : hits / (hits + misses),
    savedMs: sum('saved'),
    days: days
      .filter(({ day }) => day > oldest)
      .sort((a, b) => (a.day < b.day ? -1 : 1))
      .map(({ day, hits: ofDay, misses: missed }) => ({ day, hits: ofDay, misses: missed })),
  };
}

/** Last used first. */
export function listEntries(state: CacheState, { skill }: Pick<CacheClear, 'skill'>): CacheEntry[] {
  return [...state.entries.values()]
    .filter((entry) => skill === undefined || isSkill(entry.skill, skill))
    .sort((a, b) => b.used - a.used)
    .map(entryOf);
}

/** The refusal of an entry that is there, and perhaps whole. */
export function unreadableEntry(key: Digest): StudioError {
  return new StudioError('cache.unreadable', `Cannot read the result with the key "${key}"`, { key });
}

export function describeEntry(
  entry: KnownEntry,
  stored: StoredResult | StoredVerdicts,
  textOf: (digest: Digest) => string | undefined,
): CacheEntryDetail {
  if ('verdicts' in stored) {
    const content = JSON.stringify(stored.verdicts, undefined, 2);
    return { ...entryOf(entry), files: {}, content, outputs: {}, artifacts: [], log: '' };
  }
  const { fingerprint, result } = stored;
  return {
    ...entryOf(entry),
    fingerprint,
    files: filesOf(textOf(fingerprint.files)),
    content: result.content,
    outputs: result.outputs,
    artifacts: result.changes.map(({ path, operation }) => ({ path, operation })),
    log: result.logs.map(({ scriptName, stdout, stderr }) => `${scriptName}\n${stdout}${stderr}`).join('\n'),
  };
}

function entryOf({ kind, key, skill, workspace, run, at, ms, blobs, used, hits }: KnownEntry): CacheEntry {
  return {
    key,
    skill,
    workspace,
    kind,
    bytes: blobs.reduce((sum, [, bytes]) => sum + bytes, 0),
    storedAt: at,
    lastUsedAt: used,
    hits,
    durationMs: ms,
    runId: run,
  };
}

/** The list is a text of our own, found by its digest. */
function filesOf(list: string | undefined): Record<string, string> {
  return list === undefined ? {} : Object.fromEntries(JSON.parse(list) as [string, string][]);
}
