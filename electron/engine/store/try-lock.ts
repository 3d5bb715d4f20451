import { linkSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { isMarkAlive, ownMark } from './process-mark.ts';

/**
 * Takes a lock if no living process has it; undefined while one does. A lock whose owner died is taken over. Throws where
 * no lock can be made at all.
 */
export function tryLock(path: string): Disposable | undefined {
  const mark = ownMark();
  const own = `${path}.${mark}`;
  // Linked whole: a lock that is still being written would name no owner, and a crash would leave it so for ever.
  writeFileSync(own, mark, { mode: 0o600 });
  try {
    for (let attempt = 0; attempt < 2; attempt++) {
      if (tryLink(own, path)) return { [Symbol.dispose]: () => rmSync(path, { force: true }) };
      const owner = readMark(path);
      if (owner !== undefined && isMarkAlive(owner)) return undefined;
      if (owner !== undefined) takeAway(path, owner);
    }
    return undefined;
  } finally {
    rmSync(own, { force: true });
  }
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

function readMark(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return undefined; // Given back meanwhile.
  }
}

/** Moved first and looked at again: of two processes that saw the dead owner, one may meanwhile own the lock. */
function takeAway(path: string, dead: string): void {
  const aside = `${path}.${ownMark()}.dead`;
  try {
    renameSync(path, aside);
  } catch {
    return; // Another process was quicker.
  }
  if (readMark(aside) === dead) rmSync(aside, { force: true });
  else {
    tryLink(aside, path);
    rmSync(aside, { force: true });
  }
}
