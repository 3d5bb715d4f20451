import { mkdirSync, rmdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import { defaultHome } from './home.ts';

/**
 * Refuses a user's folder that `SUNWELL_HOME` names and that can never be one. Left alone, Node tries for ever to make a
 * folder where the system says that its parent is missing although it is there, as below /proc. The default is refused
 * only where nobody can say where it is: who has a home that is not there can still work, and nothing is kept.
 */
export function requireHome(environment: NodeJS.ProcessEnv): void {
  const home = defaultHome(environment);
  if (!environment['SUNWELL_HOME']) return;
  const problem = problemOf(home);
  if (problem === undefined) return;
  throw new StudioError(
    'home.unusable',
    `Cannot use "${home}", which SUNWELL_HOME names: ${problem}; name another folder`,
    { home },
  );
}

/** Why nothing can be kept in a folder that is there or yet to be made; a folder that is there is enough. */
function problemOf(home: string): string | undefined {
  let folder = home;
  try {
    let found = lookAt(folder);
    // The root is always there.
    while (!found) found = lookAt((folder = dirname(folder)));
    if (!found.isDirectory()) return `"${folder}" is no folder`;
    if (folder === home) return undefined;
    // By another name: whoever starts at the same time may be making the home itself.
    const trial = join(folder, `.sunwell-${process.pid}`);
    mkdirSync(trial);
    rmdirSync(trial);
    return undefined;
  } catch (error) {
    return `nothing can be made in "${folder}" (${(error as NodeJS.ErrnoException).code})`;
  }
}

function lookAt(path: string): { isDirectory(): boolean } | undefined {
  try {
    return statSync(path);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    throw error;
  }
}
