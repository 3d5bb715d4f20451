import { compareText } from '#shared/graph/compare-text.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import { digestOf } from '../store/digest.ts';

/** The files a skill can see, each with its digest; as text it is kept once for all skills that see the same. */
export interface FileList {
  readonly digest: Digest;
  readonly text: string;
}

const lists = new WeakMap<ReadonlyMap<string, Digest>, FileList>();

/** Made once for a map: skills that see the same files share the map, and it must not change afterwards. */
export function fileListOf(files: ReadonlyMap<string, Digest>): FileList {
  const known = lists.get(files);
  if (known) return known;
  const text = JSON.stringify([...files].sort(([a], [b]) => compareText(a, b)));
  const list = { digest: digestOf(text), text };
  lists.set(files, list);
  return list;
}

/** Reads a list back; a text that is none gives undefined. */
export function parseFileList(text: string): Map<string, Digest> | undefined {
  try {
    const pairs: unknown = JSON.parse(text);
    return Array.isArray(pairs) && pairs.every(isPair) ? new Map(pairs) : undefined;
  } catch {
    return undefined; // Not one of ours: the comparison goes without it.
  }
}

function isPair(pair: unknown): pair is [string, Digest] {
  return (
    Array.isArray(pair) && pair.length === 2 && typeof pair[0] === 'string' && typeof pair[1] === 'string'
  );
}
