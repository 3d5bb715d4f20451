import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { promisify } from 'node:util';

/** Where bubblewrap is, or why there is none to trust. */
export type FoundBubblewrap =
  | { readonly path: string; readonly version: string }
  | { readonly missing: string; readonly version?: string };

const places = ['/usr/bin/bwrap', '/usr/local/bin/bwrap'];
/** The first that can switch user namespaces off for what it starts. */
const oldest = [0, 8, 0] as const;

/** The bubblewrap that nobody but root can change; in the system's folders only, because a program on the search path could be anybody's. */
export function placeBubblewrap(
  candidates: readonly string[] = places,
): { readonly path: string } | { readonly missing: string } {
  const path = candidates.find((place) => statSync(place, { throwIfNoEntry: false })?.isFile());
  if (path === undefined) {
    return { missing: 'bubblewrap is not installed: install the package "bubblewrap" of your distribution' };
  }
  const { uid, mode } = statSync(path);
  if (uid !== 0 || (mode & 0o022) !== 0) {
    return { missing: `"${path}" can be changed by other users: reinstall the package "bubblewrap"` };
  }
  return { path };
}

/** The same, once it has said a version that will do. */
export async function findBubblewrap(candidates?: readonly string[]): Promise<FoundBubblewrap> {
  const placed = placeBubblewrap(candidates);
  if ('missing' in placed) return placed;
  const { path } = placed;
  const version = await versionOf(path);
  if (version === undefined)
    return { missing: `"${path}" does not say its version: reinstall the package "bubblewrap"` };
  if (isOlder(version)) {
    return { missing: `bubblewrap ${version} is too old: install ${oldest.join('.')} or newer`, version };
  }
  return { path, version };
}

async function versionOf(path: string): Promise<string | undefined> {
  try {
    const { stdout } = await promisify(execFile)(path, ['--version'], { env: {}, cwd: '/', timeout: 5000 });
    return /^bubblewrap (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
  } catch {
    return undefined; // Not a working program; the caller says so.
  }
}

function isOlder(version: string): boolean {
  const parts = version.split('.').map(Number);
  const differing = oldest.findIndex((wanted, i) => parts[i] !== wanted);
  return differing >= 0 && parts[differing]! < oldest[differing]!;
}
