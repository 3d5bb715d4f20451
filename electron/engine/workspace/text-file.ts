import { constants, statSync } from 'node:fs';
import { open, realpath } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { StudioError, type ErrorCode } from '#shared/errors.ts';
import type { FileId, Revision, TextFile } from '#shared/model/workspace.ts';
import { digestOf } from '../store/digest.ts';
import { removeFile, writeFile } from '../store/write-file.ts';

const maxBytes = 1024 * 1024;

/** Reads a text file of the workspace at one revision; refuses anything outside, too large, or not UTF-8. */
export async function readTextFile(root: string, file: FileId): Promise<TextFile> {
  const bytes = await readBytes(await placeInside(root, file), file);
  return { file, text: decode(bytes, file), revision: revisionOf(bytes) };
}

/** Replaces the text if the file is still at the revision that the caller read, keeping its mode. */
export async function saveTextFile(
  root: string,
  file: FileId,
  text: string,
  base: Revision,
): Promise<Revision> {
  const path = await placeInside(root, file);
  const current = revisionOf(await readBytes(path, file));
  if (current !== base) {
    throw new StudioError('file.changed', `Cannot save "${file}": it changed on disk`, {
      file,
      revision: current,
    });
  }
  const bytes = Buffer.from(text, 'utf8');
  try {
    await writeFile(path, bytes);
  } catch (error) {
    throw new StudioError('file.unwritable', `Cannot save "${file}": ${(error as Error).message}`, { file });
  }
  return revisionOf(bytes);
}

/** Removes the file if it is still at a revision. */
export async function removeTextFile(root: string, file: FileId, base: Revision): Promise<void> {
  const current = revisionOf(await readBytes(await placeInside(root, file), file));
  if (current !== base) {
    throw new StudioError('file.not-new', `Cannot remove "${file}": it was changed since it was made`, {
      file,
    });
  }
  try {
    // By its own name: a link that took its place leads to somebody else's file.
    await removeFile(join(root, ...file.split('/')));
  } catch (error) {
    throw new StudioError('file.unwritable', `Cannot remove "${file}": ${(error as Error).message}`, {
      file,
    });
  }
}

export function revisionOf(bytes: Uint8Array): Revision {
  return digestOf(bytes) as Revision;
}

/** The file's real place, refused when a link leads out of the workspace. */
async function placeInside(root: string, file: FileId): Promise<string> {
  const parts = file.split('/');
  if (parts.some((part) => part === '' || part === '.' || part === '..') || /[\\\0]/.test(file)) {
    throw new StudioError(
      'file.not-in-workspace',
      `Cannot open "${file}": it is not a file of this workspace`,
      { file },
    );
  }
  try {
    const [realRoot, real] = await Promise.all([realpath(root), realpath(join(root, ...parts))]);
    if (!real.startsWith(realRoot + sep)) {
      const reason = 'it leads out of the workspace';
      throw new StudioError('file.not-in-workspace', `Cannot open "${file}": ${reason}`, { file, reason });
    }
    return real;
  } catch (error) {
    throw error instanceof StudioError ? error : fileError(error, file);
  }
}

async function readBytes(path: string, file: FileId): Promise<Buffer> {
  try {
    // Opening a FIFO for reading would wait forever for a writer.
    const handle = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    try {
      const { size } = await handle.stat().then((found) => {
        if (!found.isFile()) throw unread('file.unreadable', file, 'it is not a regular file');
        return found;
      });
      if (size > maxBytes) throw unread('file.too-large', file, 'it is larger than 1 MiB');
      return await handle.readFile();
    } finally {
      await handle.close();
    }
  } catch (error) {
    throw error instanceof StudioError ? error : fileError(error, file);
  }
}

function decode(bytes: Uint8Array, file: FileId): string {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    throw unread('file.not-text', file, 'it is not UTF-8 text');
  }
}

function fileError(error: unknown, file: FileId): StudioError {
  const { code, message } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR'
    ? unread('file.not-found', file, 'it was deleted or moved')
    : unread('file.unreadable', file, message);
}

/** `reason` of the details is for those who have named the file themselves. */
function unread(code: ErrorCode, file: FileId, reason: string): StudioError {
  return new StudioError(code, `Cannot read "${file}": ${reason}`, { file, reason });
}

/** Refuses a folder that is not there or cannot be read, naming it. */
export function requireFolder(folder: string): void {
  try {
    if (statSync(folder).isDirectory()) return;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') {
      throw new StudioError(
        'workspace.unreadable',
        `Cannot read folder "${folder}": ${(error as Error).message}`,
        { folder },
      );
    }
  }
  throw new StudioError('workspace.not-found', `Cannot open "${folder}": there is no such folder`, {
    folder,
  });
}
