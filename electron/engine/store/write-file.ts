import type { Stats } from 'node:fs';
import { open, realpath, rename, rm, stat, unlink, type FileHandle } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ownMark } from './process-mark.ts';
import { toldOf } from './told-of.ts';

interface WriteOptions {
  /** Without it a file keeps the rights that it has. */
  readonly mode?: number;
}

/** Writes under way, by file: of two the later call is the one that stays. */
const underWay = new Map<string, Promise<void>>();
let named = 0;

/** Replaces a file's content at once: a crash or a full disk leaves the old content whole. Its failures name the file. */
export async function writeFile(
  path: string,
  content: string | Uint8Array,
  { mode }: WriteOptions = {},
): Promise<void> {
  try {
    // A link stays one, and what it leads to is written.
    const target = await realpath(path).catch(() => path);
    await inOrder(target, () => replace(target, content, mode));
  } catch (error) {
    throw toldOf(path, error);
  }
}

/** Removes a file for good: it does not come back when the power fails. */
export async function removeFile(path: string): Promise<void> {
  await unlink(path);
  await syncFolder(dirname(path));
}

/** A name beside a file for what will take its place: one that scripts and pages never see (`isBlocked`). */
function temporaryName(path: string): string {
  return join(dirname(path), `.sunwell.${ownMark()}.${named++}`);
}

async function inOrder(target: string, work: () => Promise<void>): Promise<void> {
  const writing = (underWay.get(target) ?? Promise.resolve()).then(work, work);
  underWay.set(target, writing);
  try {
    await writing;
  } finally {
    if (underWay.get(target) === writing) underWay.delete(target);
  }
}

async function replace(
  target: string,
  content: string | Uint8Array,
  mode: number | undefined,
): Promise<void> {
  const before = await statOf(target);
  const temporary = temporaryName(target);
  try {
    const file = await open(temporary, 'wx', mode ?? 0o666);
    try {
      if (before) await keepOwner(file, before);
      const rights = mode ?? before?.mode;
      if (rights !== undefined) await file.chmod(rights & 0o7777);
      // To the last byte: a full disk takes a part of what is written to it and calls that a success.
      await file.writeFile(content);
      await file.sync();
    } finally {
      await file.close();
    }
    await rename(temporary, target);
  } catch (error) {
    await rm(temporary, { force: true }).catch(() => undefined);
    throw error;
  }
  await syncFolder(dirname(target));
}

/** Of a file that cannot be looked at nobody knows who may read it: only one that is not there has no rights to keep. */
async function statOf(path: string): Promise<Stats | undefined> {
  try {
    return await stat(path);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

/** As root one writes the files of others too, who want them back; where that is not allowed the content still counts. */
async function keepOwner(file: FileHandle, { uid, gid }: { uid: number; gid: number }): Promise<void> {
  try {
    await file.chown(uid, gid);
  } catch (error) {
    if (!['EPERM', 'EINVAL', 'ENOSYS'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}

/** Without this what was made, renamed or removed in a folder may not be so after a power cut. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
