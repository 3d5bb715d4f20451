import { open, unlink } from 'node:fs/promises';
import { dirname } from 'node:path';
import { toldOf } from './told-of.ts';

/** Replaces a file's content at once: a crash or a full disk leaves the old content whole. Its failures name the file. */
export async function writeFile(
  path: string,
  content: string | Uint8Array,
  { mode }: { readonly mode?: number } = {},
): Promise<void> {
  // Loaded only where something is written: most that could write only read.
  const { default: writeFileAtomic } = await import('write-file-atomic');
  try {
    await writeFileAtomic(path, content as string | Buffer, {
      fsync: true,
      ...(mode !== undefined && { mode }),
    });
  } catch (error) {
    throw toldOf(path, error);
  }
  await syncFolder(path);
}

/** Removes a file for good: it does not come back when the power fails. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path);
  await syncFolder(path);
}

/** Without this a rename or a removal may be lost with the power, and the old content come back. */
async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(dirname(path), 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
