import { createHmac, timingSafeEqual } from 'node:crypto';
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';

/** Whose signature counts, and for what: what is signed for something else says nothing. */
export interface Signer {
  /** The key of the installation: a file that somebody else put there is not ours. */
  readonly key: Buffer;
  /** Everything besides the content that the signature is for. */
  readonly about: readonly string[];
}

const signatureLength = 64;

/** The content of a signed file; undefined when there is none, or it is damaged, foreign or about something else. */
export function readSigned(path: string, signer: Signer): Buffer | undefined {
  try {
    const bytes = readFileSync(path);
    const content = bytes.subarray(signatureLength + 1);
    const signature = Buffer.from(bytes.toString('latin1', 0, signatureLength), 'hex');
    return timingSafeEqual(signature, sign(content, signer)) ? content : undefined;
  } catch {
    return undefined; // None yet, or too short to be one: it is worked out anew.
  }
}

/** Whether it could be written, whole; a full or read-only disk costs time later and nothing else. */
export function writeSigned(path: string, content: string, signer: Signer): boolean {
  const signed = Buffer.from(content);
  const signature = Buffer.from(`${sign(signed, signer).toString('hex')}\n`);
  const temporary = `${path}.${process.pid}`;
  try {
    mkdirSync(dirname(path), { recursive: true, mode: 0o700 });
    writeFileSync(temporary, Buffer.concat([signature, signed]), { mode: 0o600 });
    renameSync(temporary, path);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return false;
  }
}

function sign(content: Uint8Array, { key, about }: Signer): Buffer {
  return createHmac('sha256', key).update(JSON.stringify(about)).update(content).digest();
}
