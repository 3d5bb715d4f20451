import { existsSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

const markers = ['.sunwell', 'sunwell.lock', '.git'];

/**
 * The nearest folder, going up, that is marked as a workspace or a repository. The user's own `home` marks nothing:
 * by default it is `~/.sunwell`, and would make the whole home folder a workspace.
 */
export function findWorkspaceFolder(from: string, home: string): string | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const marks = markers.map((marker) => join(folder, marker));
    if (marks.some((mark) => mark !== home && existsSync(mark))) return folder;
    if (dirname(folder) === folder) return undefined;
  }
}
