import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { StudioError } from '#shared/errors.ts';
import { describeMark } from './process-mark.ts';
import { toldOf } from './told-of.ts';
import { lockOwner, tryLock } from './try-lock.ts';

const pauseMs = 10;
/** Far longer than anybody needs for reading, changing and writing a file. */
const usualPatienceMs = 10_000;

export interface FileLockOptions {
  /** How long to wait for another process that has the lock. */
  readonly patienceMs?: number;
}

/** What this process does last on each file. */
const turns = new Map<string, Promise<unknown>>();

/**
 * Does the work on a file while no other process does it, and within one process in the order of the calls; a lock whose owner died is taken over. Refuses where another one
 * does not give it back.
 */
export async function withFileLock<T>(
  file: string,
  work: () => Promise<T>,
  { patienceMs = usualPatienceMs }: FileLockOptions = {},
): Promise<T> {
  const earlier = turns.get(file) ?? Promise.resolve();
  const turn = earlier.then(async () => {
    using _held = await lockFor(file, patienceMs);
    return await work();
  });
  // Told to whoever asked for it; the next work goes on.
  const over = turn.catch(() => undefined);
  turns.set(file, over);
  try {
    return await turn;
  } finally {
    if (turns.get(file) === over) turns.delete(file);
  }
}

async function lockFor(file: string, patienceMs: number): Promise<Disposable> {
  const path = `${file}.lock`;
  const end = performance.now() + patienceMs;
  try {
    await mkdir(dirname(file), { recursive: true });
    let lock = tryLock(path);
    while (!lock) {
      if (performance.now() > end) throw stillLocked(path);
      await delay(pauseMs);
      lock = tryLock(path);
    }
    return lock;
  } catch (error) {
    throw toldOf(file, error);
  }
}

function stillLocked(path: string): StudioError {
  const owner = lockOwner(path);
  const who = owner === undefined ? 'others take it in turns' : `${describeMark(owner)} has it`;
  return new StudioError(
    'home.locked',
    `Cannot get the lock "${path}": ${who}; wait for it or end it, and delete the lock if no Sunwell works there any more`,
    { path },
  );
}
