import { open } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Replaces a file's content at once: a crash or a full disk leaves the old content whole. */
export async function writeFile(
  path: string,
  content: string | Uint8Array,
  { mode }: { readonly mode?: number } = {},
): Promise<void> {
  // Loaded only where something is written: most that could write only read.
  const { default: writeFileAtomic } = await import('write-file-atomic');
  await writeFileAtomic(path, content as string | Buffer, {
    fsync: true,
    ...(mode !== undefined && { mode }),
  });
  // Without this the rename itself may be lost with the power, and the old content come back.
  if (process.platform !== 'win32') {
    const folder = await open(dirname(path), 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}
