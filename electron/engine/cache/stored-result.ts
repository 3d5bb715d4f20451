import type { Digest, Fingerprint } from '#shared/model/fingerprint.ts';
import type { Verdict } from '#shared/model/verdict.ts';
import type { CachedResult } from './cached-result.ts';

/** The file of a kept result. */
export interface StoredResult {
  readonly key: Digest;
  readonly fingerprint: Fingerprint;
  readonly resultDigest: Digest;
  readonly outputDigests: Readonly<Record<string, Digest>>;
  readonly result: CachedResult;
}

/** The file of kept verdicts. */
export interface StoredVerdicts {
  readonly key: Digest;
  readonly verdicts: readonly Verdict[];
}

/** Reads a file whose bytes are the very ones that were stored under this key, or refuses. */
export function parseStored<Stored extends StoredResult | StoredVerdicts>(
  text: string,
  key: Digest,
): Stored | undefined {
  const stored = JSON.parse(text) as Stored;
  return stored.key === key ? stored : undefined;
}
