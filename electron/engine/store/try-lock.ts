import { linkSync, rmSync, writeFileSync } from 'node:fs';
import { StudioError } from '#shared/errors.ts';
import { isMarkAlive, ownMark } from './process-mark.ts';
import { readRegularFile } from './read-regular-file.ts';

/** Nobody has a lock for longer; the longest have it while they fetch a package. */
const longestHeldMs = 10 * 60_000;

/**
 * Takes a lock if no living process has it; undefined while one does. A lock whose owner died is taken over. Throws where
 * no lock can be made at all, or what is in its place is none.
 */
export function tryLock(path: string): Disposable | undefined {
  const mark = ownMark();
  const own = `${path}.${mark}`;
  // Linked whole: a lock that is still being written would name no owner, and a crash would leave it so for ever.
  writeFileSync(own, mark, { mode: 0o600 });
  try {
    const isTaken = tryLink(own, path) || tryTakeOver(own, path);
    return isTaken ? { [Symbol.dispose]: () => giveBack(path, mark) } : undefined;
  } finally {
    rmSync(own, { force: true });
  }
}

/** Puts our lock in the place of one whose owner died. */
function tryTakeOver(own: string, path: string): boolean {
  if (!isDead(path)) return tryLink(own, path); // Perhaps given back meanwhile.
  // By one process at a time, which looks again: the others would take away the lock that the first one put there. What
  // keeps them apart is a lock like any other, so that a process that dies here stops nobody for good.
  using alone = tryLock(`${path}.takeover`);
  if (!alone) return false;
  if (isDead(path)) rmSync(path, { force: true });
  return tryLink(own, path);
}

/** Only our own: somebody may have deleted it by hand, and another process have it since. */
function giveBack(path: string, mark: string): void {
  if (!isOurs(path, mark)) return;
  try {
    rmSync(path, { force: true });
  } catch {
    // What is in its place by now is no lock; the next who wants it is told. The work under it is done.
  }
}

/** Also where it cannot be read just now, as with too many open files: kept, it would be in the way for as long as we live. */
function isOurs(path: string, mark: string): boolean {
  try {
    return lockOwner(path) === mark;
  } catch {
    return true;
  }
}

/** False also where there is none: removing by that word would take away what another process is about to put there. */
function isDead(path: string): boolean {
  const owner = lockOwner(path);
  return owner !== undefined && !isMarkAlive(owner, { path, goodForMs: longestHeldMs });
}

function tryLink(from: string, to: string): boolean {
  try {
    linkSync(from, to);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false;
    throw error;
  }
}

/** The mark of the process that has a lock; undefined where none has. */
export function lockOwner(path: string): string | undefined {
  try {
    return readRegularFile(path, { followsLinks: false });
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT') return undefined; // Given back meanwhile.
    // Taken for given back, a folder or a link in its place would be waited for without end.
    throw new StudioError(
      'home.bad-lock',
      `Cannot read the lock "${path}": ${message}; delete it if no other Sunwell is at work`,
      { path },
    );
  }
}
