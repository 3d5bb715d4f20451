import { canonicalJson } from './canonical-json.ts';
import { compareText } from './compare-text.ts';
import { sha256 } from './sha256.ts';

/**
 * SHA-256 over the whole definition of every skill, by id: it changes when any part of any of them does.
 * A host with a faster SHA-256 than ours may lend it as `digest`.
 */
export function contentHash(
  definitions: Iterable<readonly [id: string, definition: unknown]>,
  digest: (text: string) => string = sha256,
): string {
  const sorted = [...definitions].sort((a, b) => compareText(a[0], b[0]));
  const repeated = sorted.find(([id], i) => i > 0 && sorted[i - 1]![0] === id);
  if (repeated) throw new Error(`Cannot hash a graph: skill id ${JSON.stringify(repeated[0])} occurs twice`);
  return digest(canonicalJson(sorted));
}
