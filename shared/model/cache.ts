import { z } from 'zod';
import { Digest, Fingerprint } from './fingerprint.ts';

/** One kept result, as lists show it. */
export const CacheEntry = z.object({
  key: Digest,
  skill: z.string(),
  workspace: z.string(),
  kind: z.enum(['action', 'judgment']),
  bytes: z.int(),
  storedAt: z.number(),
  lastUsedAt: z.number(),
  hits: z.int(),
  /** What one hit saves. */
  durationMs: z.number(),
  runId: z.string(),
});
export type CacheEntry = z.infer<typeof CacheEntry>;

/** One kept result with everything that led to it. */
export const CacheEntryDetail = CacheEntry.extend({
  fingerprint: Fingerprint.optional(),
  /** The files the skill could see: path → digest. */
  files: z.record(z.string(), z.string()),
  content: z.string(),
  outputs: z.record(z.string(), z.unknown()),
  artifacts: z.array(z.object({ path: z.string(), operation: z.enum(['write', 'delete']) })),
  log: z.string(),
});
export type CacheEntryDetail = z.infer<typeof CacheEntryDetail>;

export const CacheStats = z.object({
  entries: z.int(),
  bytes: z.number(),
  maxBytes: z.number(),
  hits: z.int(),
  misses: z.int(),
  /** 0–1; 0 where nothing was ever asked. */
  hitRate: z.number(),
  savedMs: z.number(),
  /** Hits and misses by day, oldest first, for the last month. */
  days: z.array(z.object({ day: z.string(), hits: z.int(), misses: z.int() })),
});
export type CacheStats = z.infer<typeof CacheStats>;

/** What a check of every entry found: a damaged one was set aside and is a miss from now on; of one that cannot be read nobody knows. */
export const CacheCheck = z.object({
  checked: z.int(),
  damaged: z.array(Digest),
  unreadable: z.array(Digest),
  bytes: z.number(),
});
export type CacheCheck = z.infer<typeof CacheCheck>;

/** Which entries to drop; nothing set means all. */
export const CacheClear = z.object({
  skill: z.string().optional(),
  key: Digest.optional(),
  olderThanMs: z.number().positive().optional(),
});
export type CacheClear = z.infer<typeof CacheClear>;
