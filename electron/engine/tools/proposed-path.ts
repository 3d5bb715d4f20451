import { compileGlob } from '#shared/glob.ts';
import { isBlocked } from '#shared/blocked-names.ts';

/** Why a script may not propose a change at this path; undefined when it may. `permitted` globs narrow further. */
export function problemOfPath(path: string, permitted?: readonly string[]): string | undefined {
  const parts = path.split('/');
  if (/[\\\0]/.test(path) || parts.some((part) => part === '' || part === '.' || part === '..')) {
    return 'it is not a path within the workspace';
  }
  // What scripts never see they must not replace either: a hook in .git runs outside the sandbox.
  const hidden = parts.find((part, i) => isBlocked(part, i < parts.length - 1));
  if (hidden !== undefined) return `"${hidden}" is kept from scripts`;
  const isPermitted = !permitted || permitted.some((glob) => compileGlob(glob)(parts));
  return isPermitted ? undefined : 'the permissions of the skill leave it out';
}
