import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';
import type { Digest, Fingerprint } from '#shared/model/fingerprint.ts';

/** What a file of the store holds, and how long it is. */
export type BlobReference = readonly [digest: Digest, bytes: number];

/** A result was stored. The first blob is the result itself. */
export interface PutLine {
  readonly t: 'put';
  readonly kind: 'action' | 'judgment';
  readonly key: Digest;
  readonly skill: string;
  readonly workspace: string;
  readonly run: string;
  readonly at: number;
  readonly ms: number;
  readonly blobs: readonly BlobReference[];
  /** Texts beside the result that take no more room here than their digests would. */
  readonly texts?: readonly string[];
  readonly used: number;
  /** The process that used it last. */
  readonly by: string;
  readonly hits: number;
}

/** A result was dropped; what remains is enough to say so. */
export interface GoneLine {
  readonly t: 'gone';
  readonly why: 'evicted' | 'damaged' | 'cleared';
  readonly key: Digest;
  /** When the dropped one was stored: one that was stored again since is not meant. */
  readonly of: number;
  readonly past?: {
    readonly skill: string;
    readonly workspace: string;
    readonly run: string;
    readonly at: number;
    readonly ms: number;
    readonly used: number;
    readonly fingerprint?: Fingerprint;
  };
}

/** Everything was dropped, failures too; only what was counted stays. */
export interface ClearLine {
  readonly t: 'clear';
}

/** Results were used by a process. */
export interface UseLine {
  readonly t: 'use';
  readonly at: number;
  readonly by: string;
  readonly keys: readonly Digest[];
}

export interface FailLine {
  readonly t: 'fail';
  readonly key: Digest;
  readonly skill: string;
  readonly workspace: string;
  readonly run: string;
  readonly at: number;
}

export interface DayLine {
  readonly t: 'day';
  readonly day: string;
  readonly hits: number;
  readonly misses: number;
  readonly saved: number;
}

/** Everything before it, up to `bytes`, was found good line by line: one digest answers for all of it. */
export interface SealLine {
  readonly t: 'seal';
  readonly bytes: number;
  readonly digest: Digest;
  /** How long the file was when it was last written anew. */
  readonly least: number;
}

export type CacheLine = PutLine | GoneLine | ClearLine | UseLine | FailLine | DayLine | SealLine;

const macLength = 43;

/** Signs lines with the key of this installation, so that what another program plants or a disk garbles is not read. */
export class LineSigner {
  readonly #key: KeyObject;

  constructor(installKey: Buffer) {
    this.#key = createSecretKey(createHmac('sha256', installKey).update('cache index 1').digest());
  }

  sign(line: CacheLine): string {
    const json = JSON.stringify(line);
    return `${this.#mac(json)} ${json}`;
  }

  /** Undefined where the line is not whole or not ours. */
  open(text: string): CacheLine | undefined {
    const json = text.slice(macLength + 1);
    return text.slice(0, macLength) === this.#mac(json) ? contentOf(text) : undefined;
  }

  #mac(json: string): string {
    return createHmac('sha256', this.#key).update(json).digest('base64url');
  }
}

/** What a signed line says. Only for lines that are known to be good: nothing else can be believed of them. */
export function contentOf(text: string): CacheLine {
  return JSON.parse(text.slice(macLength + 1)) as CacheLine;
}
