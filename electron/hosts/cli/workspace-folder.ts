import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const markers = ['.sunwell', 'sunwell.lock', '.git'];

/** The nearest folder, going up, that is marked as a workspace or a repository. */
export function findWorkspaceFolder(from: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    if (markers.some((marker) => existsSync(join(folder, marker)))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
