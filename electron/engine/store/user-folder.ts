import { homedir, userInfo } from 'node:os';
import { isAbsolute } from 'node:path';
import { StudioError } from '#shared/errors.ts';

/** Where the user's own files are. An empty or relative HOME would mean the folder that happens to be open, and keys would lie there. */
export function userFolder(): string {
  const named = homedir();
  if (isAbsolute(named)) return named;
  const known = accountFolder();
  if (known !== undefined) return known;
  const message = `Cannot use "${named}", which HOME names: it is no absolute path; correct it, or name a folder with SUNWELL_HOME`;
  throw new StudioError('home.unusable', message, { home: named });
}

function accountFolder(): string | undefined {
  try {
    const { homedir: folder } = userInfo();
    return isAbsolute(folder) ? folder : undefined;
  } catch {
    return undefined; // A user without an account, as in many containers.
  }
}
