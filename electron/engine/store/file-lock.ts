import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { toldOf } from './told-of.ts';
import { tryLock } from './try-lock.ts';

const waitMs = 10;

/** Does the work on a file while no other process does it; a lock whose owner died is taken over. */
export async function withFileLock<T>(file: string, work: () => Promise<T>): Promise<T> {
  using _held = await lockFor(file);
  return await work();
}

async function lockFor(file: string): Promise<Disposable> {
  try {
    await mkdir(dirname(file), { recursive: true });
    let lock = tryLock(`${file}.lock`);
    while (!lock) {
      await delay(waitMs);
      lock = tryLock(`${file}.lock`);
    }
    return lock;
  } catch (error) {
    throw toldOf(file, error);
  }
}
