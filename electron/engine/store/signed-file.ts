import { createCipheriv, createDecipheriv, createHmac, randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { writeUnflushed } from './write-unflushed.ts';

/** Whose signature counts, and for what: what is signed for something else says nothing. */
export interface Signer {
  /** The key of the installation: a file that somebody else put there is not ours. */
  readonly key: Buffer;
  /** Everything besides the content that the signature is for. */
  readonly about: readonly string[];
}

/** Signs a megabyte in a tenth of the time that a hash takes; nothing of it is encrypted. */
const cipher = 'aes-256-gcm';
const tag = { authTagLength: 16 };
/** The signature is as long as two tags: compiled code behind it begins at a multiple of eight, or V8 would copy it. */
const nonceBytes = 16;
const contentAt = tag.authTagLength + nonceBytes;

/** The content of a signed file; undefined when there is none, or it is damaged, foreign or about something else. */
export function readSigned(path: string, signer: Signer): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    const content = bytes.subarray(contentAt);
    createDecipheriv(cipher, keyOf(signer), bytes.subarray(tag.authTagLength, contentAt), tag)
      .setAuthTag(bytes.subarray(0, tag.authTagLength))
      .setAAD(content)
      .final();
    return content;
  } catch {
    return undefined; // None yet, too short to be one, or not signed by us for this: it is worked out anew.
  }
}

/** Whether it could be written, whole; a full or read-only disk costs time later and nothing else. */
export function writeSigned(path: string, content: string | Uint8Array, signer: Signer): boolean {
  const signed = sign(Buffer.from(content), signer);
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeUnflushed(path, signed);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return false;
  }
}

function sign(content: Buffer, signer: Signer): Buffer {
  // Never the same twice with one key: two signatures with one nonce give the key away.
  const nonce = randomBytes(nonceBytes);
  const signing = createCipheriv(cipher, keyOf(signer), nonce, tag).setAAD(content);
  signing.final();
  return Buffer.concat([signing.getAuthTag(), nonce, content]);
}

/** One for each thing that is signed: what is signed for one says nothing of another. */
function keyOf({ key, about }: Signer): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(about)).digest();
}
