import { hash } from 'node:crypto';
import { canonicalJson } from '#shared/graph/canonical-json.ts';
import type { Digest } from '#shared/model/fingerprint.ts';

/** SHA-256 of the UTF-8 bytes of a text, or of bytes. */
export function digestOf(content: string | Uint8Array): Digest {
  return hash('sha256', content, 'hex');
}

/** A value as scripts get it, keys in their order: a script can see that order, and may pass it on. Refuses what JSON has no word for. */
export function valueText(value: unknown): string {
  return JSON.stringify(value, (_key, member: unknown) => {
    if (typeof member === 'number' && !Number.isFinite(member)) throw new Error(`JSON has no ${member}`);
    return member;
  });
}

/** The digest of a value that JSON can hold: equal values have equal ones, whatever the order of their keys. */
export function valueDigest(value: unknown): Digest {
  return digestOf(canonicalJson(value));
}
