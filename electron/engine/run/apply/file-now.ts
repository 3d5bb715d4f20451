import { constants, type Stats } from 'node:fs';
import { lstat, open } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOf } from '../../store/digest.ts';
import { problemOfPath } from '../../tools/proposed-path.ts';
import type { IntendedChange } from './intent.ts';

/** A regular file as it is at this moment. */
export interface FileNow {
  readonly content: Buffer;
  readonly mode: number;
}

/** The file at a path of the workspace, undefined for none. Throws where the way leads over a link, or to no regular file. */
export async function fileNow(root: string, path: string): Promise<FileNow | undefined> {
  if ((await statsInside(root, path)) === undefined) return undefined;
  const handle = await open(
    join(root, path),
    constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
  );
  try {
    const { mode } = await handle.stat();
    return { content: await handle.readFile(), mode: mode & 0o7777 };
  } finally {
    await handle.close();
  }
}

/** What the system says of that file, without reading it. */
export async function statsInside(root: string, path: string): Promise<Stats | undefined> {
  const problem = problemOfPath(path);
  if (problem !== undefined) throw new Error(problem);
  const parts = path.split('/');
  for (let depth = 1; depth <= parts.length; depth++) {
    const stats = await lstat(join(root, ...parts.slice(0, depth))).catch(orMissing);
    if (!stats) return undefined;
    const isLast = depth === parts.length;
    if (isLast ? !stats.isFile() : !stats.isDirectory()) throw new Error('something else is in its place');
    if (isLast) return stats;
  }
  return undefined;
}

/** Whether a file is as it was before the change. */
export function isBefore(now: FileNow | undefined, { before }: IntendedChange): boolean {
  if (!now || !before) return !now && !before;
  return digestOf(now.content) === before.sha256 && isStartable(now.mode) === isStartable(before.mode);
}

/** Whether a file is exactly what the change makes of it. */
export function isAfter(now: FileNow | undefined, { after }: IntendedChange): boolean {
  if (!now || !after) return !now && !after;
  return digestOf(now.content) === after.sha256 && isStartable(now.mode) === after.isExecutable;
}

export function isStartable(mode: number): boolean {
  return (mode & 0o100) !== 0;
}

function orMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT') throw error;
  return undefined;
}
