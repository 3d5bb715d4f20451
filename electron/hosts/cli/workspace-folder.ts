import { existsSync } from 'node:fs';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { defaultHome } from '#engine/home.ts';
import type { Invocation } from './invocation.ts';

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

/** What of a call says which folder is meant. */
export type AskedFolder = Pick<Invocation, 'workspace'> & {
  readonly terminal: Pick<Invocation['terminal'], 'workingDirectory' | 'machine'>;
};

/** The folder that a command works on: as asked, else the marked one around us, else where we are. */
export function workspaceFolder({ terminal, workspace }: AskedFolder): string {
  const here = terminal.workingDirectory;
  const found = workspace ?? findWorkspaceFolder(here, defaultHome(terminal.machine.environment));
  return resolve(here, found ?? '.');
}

/** The workspace of a named file: the one asked for if it holds it, else the marked one around the file. */
export function workspaceFolderOf(invocation: AskedFolder, path: string): string {
  const { terminal, workspace } = invocation;
  const holds = (folder: string): boolean => path.startsWith(folder.endsWith(sep) ? folder : folder + sep);
  const here = resolve(terminal.workingDirectory, workspace ?? '.');
  if (workspace !== undefined && holds(here)) return here;
  const marked = findWorkspaceFolder(dirname(path), defaultHome(terminal.machine.environment));
  if (marked !== undefined) return marked;
  if (holds(here)) return here;
  // Lenses name scripts and libraries beside their folder: `../scripts` of a lone file must stay inside.
  const folder = dirname(path);
  return ['lenses', 'skills'].includes(basename(folder)) ? dirname(folder) : folder;
}
