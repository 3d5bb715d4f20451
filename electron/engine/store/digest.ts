import { hash } from 'node:crypto';
import { canonicalJson } from '#shared/graph/canonical-json.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import { unfitnessOf } from './fit-value.ts';

/** SHA-256 of the UTF-8 bytes of a text, or of bytes. */
export function digestOf(content: string | Uint8Array): Digest {
  return hash('sha256', content, 'hex');
}

/** A value as scripts get it, keys in their order: a script can see that order, and may pass it on. Refuses what JSON has no word for. */
export function valueText(value: unknown): string {
  // Not by a function that sees each member: with one, half of the depth that may be handed on is too deep.
  if (unfitnessOf(value) === 'endless') throw new Error('JSON has no infinite number and no NaN');
  return JSON.stringify(value);
}

/** The digest of a value that JSON can hold: equal values have equal ones, whatever the order of their keys. */
export function valueDigest(value: unknown): Digest {
  return digestOf(canonicalJson(value));
}
