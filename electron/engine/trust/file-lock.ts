import { mkdir, open, readFile, rename, rm } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isMarkAlive, ownMark } from '../store/process-mark.ts';

const waitMs = 10;

/** Does the work while no other process does it; a lock whose owner died is taken over. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  while (!(await tryLock(path))) await delay(waitMs);
  try {
    return await work();
  } finally {
    await rm(path, { force: true });
  }
}

async function tryLock(path: string): Promise<boolean> {
  try {
    const file = await open(path, 'wx', 0o600);
    await file.writeFile(ownMark());
    await file.close();
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
  }
  const mark = await readFile(path, 'utf8').catch(() => undefined);
  // An empty lock is one that is just being made.
  if (mark !== undefined && mark !== '' && !isMarkAlive(mark)) await takeAway(path, mark);
  return false;
}

/** Moved first and looked at again: of two processes that saw the dead owner, one may meanwhile own the lock. */
async function takeAway(path: string, dead: string): Promise<void> {
  const aside = `${path}.${ownMark()}`;
  await rename(path, aside).catch(() => undefined);
  const moved = await readFile(aside, 'utf8').catch(() => undefined);
  if (moved === undefined) return;
  if (moved === dead) await rm(aside, { force: true });
  else await rename(aside, path);
}
