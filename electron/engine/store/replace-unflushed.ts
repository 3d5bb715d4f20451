import { existsSync, renameSync, unlinkSync } from 'node:fs';

/**
 * Puts a file where another one may be, for files that are checked when they are read and made anew when they are gone. Not over
 * the other one: ext4 writes a file to the disk before it takes another's place, which takes four milliseconds.
 */
export function replaceUnflushed(from: string, to: string): void {
  // An error that is nearly always there takes longer than a look.
  if (existsSync(to)) {
    try {
      unlinkSync(to);
    } catch (error) {
      // Another process replaces it, too.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
  }
  renameSync(from, to);
}
