import { mkdir, open, rmdir, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ownMark } from '../../store/process-mark.ts';
import { syncFolder } from '../../store/write-file.ts';
import type { Intent } from './intent.ts';

/**
 * Keeps an intent on the disk, with the bytes that it is about to replace, and returns the path of its file. Whole or
 * nothing was written yet: who finds a torn one knows that the workspace was not touched.
 */
export async function writeIntent(
  folder: string,
  id: string,
  { intent, old }: { readonly intent: Intent; readonly old: readonly Uint8Array[] },
): Promise<string> {
  const path = join(folder, `${ownMark()}.${id}`);
  try {
    const file = await openIn(folder, path);
    try {
      await file.writeFile(Buffer.concat([Buffer.from(`${JSON.stringify(intent)}\n`), ...old]));
      await file.sync();
    } finally {
      await file.close();
    }
    await syncFolder(folder);
  } catch (error) {
    await removeIntent(path).catch(() => undefined); // Torn, and so it says nothing; the failure that is told is the first one.
    throw error;
  }
  return path;
}

/**
 * From here on nothing is taken back any more: resolves when that is on the disk. Throws where it is gone, for then somebody
 * who took this process for dead, as from another container, has begun to take its files back.
 */
export async function removeIntent(path: string): Promise<void> {
  await unlink(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new Error('another process took it back meanwhile') : error;
  });
  await syncFolder(dirname(path));
  await removeFolder(dirname(path));
}

/** So that one look says that nothing goes on. Another writing may be in it. */
export async function removeFolder(folder: string): Promise<void> {
  await rmdir(folder).catch((error: NodeJS.ErrnoException) => {
    if (!['ENOENT', 'ENOTEMPTY', 'EEXIST'].includes(error.code ?? '')) throw error;
  });
}

async function openIn(folder: string, path: string) {
  for (let attempt = 1; ; attempt++) {
    const first = await mkdir(folder, { recursive: true, mode: 0o700 });
    for (let made = folder; first !== undefined && made.length >= first.length; made = dirname(made)) {
      await syncFolder(dirname(made));
    }
    try {
      return await open(path, 'wx', 0o600);
    } catch (error) {
      // Another process was done and removed the folder that both used.
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || attempt === 10) throw error;
    }
  }
}
