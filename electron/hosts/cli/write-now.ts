import { writeSync } from 'node:fs';

/** Writes to a standard stream without opening it as one, which takes longer than a short command; says how many bytes it took. */
export function writeNow(fd: 1 | 2, bytes: Uint8Array): number {
  let written = 0;
  try {
    while (written < bytes.length) written += writeSync(fd, bytes, written);
  } catch {
    // A pipe that is full or closed: the stream knows how to wait for it, and what to make of it.
  }
  return written;
}
