import type { Digest, Fingerprint } from '#shared/model/fingerprint.ts';
import type { ResultOrigin } from '#shared/model/plan.ts';
import { digestOf, valueDigest, valueText } from '../store/digest.ts';

/** A change of one file that a step proposes; its bytes are kept apart, by their digest. */
export interface CachedChange {
  readonly operation: 'write' | 'delete';
  readonly path: string;
  readonly contentHash?: Digest;
  /** Missing for a deletion, and in results that an older version kept. */
  readonly bytes?: number;
  readonly mode?: number;
}

/** What one script printed. */
export interface CachedLog {
  readonly scriptName: string;
  readonly stdout: string;
  readonly stderr: string;
  readonly truncated: boolean;
  readonly durationMs: number;
}

/** What a successful step left, with all that a run shows of it. */
export interface CachedResult {
  readonly content: string;
  readonly outputs: Readonly<Record<string, unknown>>;
  readonly changes: readonly CachedChange[];
  readonly logs: readonly CachedLog[];
  readonly limitsHit: readonly string[];
  readonly durationMs: number;
}

/** A result out of the cache; everything in it was checked when it was read. */
export interface CacheHit {
  readonly key: Digest;
  readonly result: CachedResult;
  readonly resultDigest: Digest;
  /** By produced key. */
  readonly outputDigests: Readonly<Record<string, Digest>>;
  readonly origin: ResultOrigin;
}

/** The last that is known of a skill's earlier results; the text of any digest in the fingerprint may be kept too. */
export interface PastEntry extends ResultOrigin {
  readonly key: Digest;
  /** Missing where it went with an entry that was dropped. */
  readonly fingerprint?: Fingerprint;
  /** It was kept once and had to make room. */
  readonly isEvicted: boolean;
}

/** Equal for results that no later step can tell apart: what was printed and how long it took are left out. */
export function resultDigest({ content, outputs, changes }: CachedResult): Digest {
  return valueDigest({
    content,
    outputs,
    changes: changes.map(({ operation, path, contentHash, mode }) => ({
      operation,
      path,
      contentHash,
      mode,
    })),
  });
}

/** The digest of every produced value, as the scripts downstream read it. */
export function outputDigestsOf(outputs: CachedResult['outputs']): Record<string, Digest> {
  return Object.fromEntries(Object.entries(outputs).map(([key, value]) => [key, digestOf(valueText(value))]));
}
