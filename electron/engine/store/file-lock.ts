import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { tryLock } from './try-lock.ts';

const waitMs = 10;

/** Does the work while no other process does it; a lock whose owner died is taken over. */
export async function withFileLock<T>(path: string, work: () => Promise<T>): Promise<T> {
  await mkdir(dirname(path), { recursive: true });
  let lock = tryLock(path);
  while (!lock) {
    await delay(waitMs);
    lock = tryLock(path);
  }
  using _held = lock;
  return await work();
}
