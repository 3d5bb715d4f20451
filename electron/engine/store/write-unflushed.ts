import { existsSync, renameSync, rmSync, unlinkSync, writeFileSync } from 'node:fs';

/**
 * Writes a file, whole or not at all, for content that is checked when it is read and made anew when it is gone: a power cut may
 * take it. Not over the one that is there: ext4 writes a file to the disk before it takes another's place, which takes four
 * milliseconds.
 */
export function writeUnflushed(path: string, content: string | Uint8Array): void {
  const temporary = `${path}.${process.pid}`;
  try {
    writeFileSync(temporary, content, { mode: 0o600 });
    // An error that is nearly always there takes longer than a look.
    if (existsSync(path)) unlinkIfThere(path);
    renameSync(temporary, path);
  } catch (error) {
    // A disk that is full would be so a little more with every run.
    rmSync(temporary, { force: true });
    throw error;
  }
}

function unlinkIfThere(path: string): void {
  try {
    unlinkSync(path);
  } catch (error) {
    // Another process replaces it, too.
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}
