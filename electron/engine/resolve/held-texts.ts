import { closeSync, constants, openSync, readFileSync } from 'node:fs';

/** Larger files are not read as text. */
export const maxTextBytes = 1024 * 1024;

/** Throws where the bytes are not UTF-8. */
export function decodeText(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
}

/** The bytes of a file; waits for nobody where a pipe has taken its place. */
export function readBytes(path: string, flags = 0): Buffer {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK | flags);
  try {
    return readFileSync(fd);
  } finally {
    closeSync(fd);
  }
}

/** The text of a plain file; undefined where a resolution would say something about it instead. */
export function readHeldText(path: string): string | undefined {
  try {
    const bytes = readBytes(path, constants.O_NOFOLLOW);
    return bytes.length > maxTextBytes ? undefined : decodeText(bytes);
  } catch {
    return undefined; // Gone meanwhile, a link, or no text: whoever resolves anew finds out which.
  }
}
