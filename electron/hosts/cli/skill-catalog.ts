import { stat } from 'node:fs/promises';
import { dirname, relative, resolve, sep } from 'node:path';
import { classify } from '#engine/workspace/discovery.ts';
import { StudioError } from '#shared/errors.ts';
import { parseLibraryReference } from '#shared/lens/reference.ts';
import type { LibraryReference } from '#shared/lens/reference.ts';
import { CommandWorkspace } from './command-workspace.ts';
import { workspaceFolderOf } from './workspace-folder.ts';
import type { Invocation } from './invocation.ts';

const builtin: LibraryReference = { kind: 'builtin', name: 'sunwell/common' };

/** Every library of the workspace, the built-in one, then every Agent Skill found, as references from its top folder. */
export async function allLibraries(workspace: CommandWorkspace): Promise<readonly LibraryReference[]> {
  const files = await workspace.files();
  const named = (kind: 'library' | 'agent-skill'): LibraryReference[] =>
    files
      .filter((file) => classify(file) === kind)
      .map((file) => ({ kind: 'path', path: `./${kind === 'library' ? file : dirname(file)}` }));
  return [...named('library'), builtin, ...named('agent-skill')];
}

/** The workspace that a named library is seen from: its own where it is a file or folder, else the one we are in. */
export async function openForLibrary(invocation: Invocation, text: string): Promise<CommandWorkspace> {
  const path = resolve(invocation.terminal.workingDirectory, text);
  const isHere = !text.includes('://') && (await stat(path).catch(() => undefined)) !== undefined;
  return CommandWorkspace.open(invocation, isHere ? workspaceFolderOf(invocation, path) : undefined);
}

/** The library that a user named: a reference as lenses write it, or a file or folder from here or, as in ids, from the top. */
export async function libraryReference(
  { terminal }: Invocation,
  workspace: CommandWorkspace,
  text: string,
): Promise<LibraryReference> {
  const parsed = parseLibraryReference(text);
  if (parsed.ok && parsed.value.kind !== 'path') return parsed.value;
  if (text.includes('://')) throw noLibrary(text, parsed.ok ? 'it is not one' : parsed.problem);
  for (const from of [terminal.workingDirectory, workspace.root]) {
    const path = resolve(from, text);
    if (await stat(path).catch(() => undefined)) return { kind: 'path', path: fromTop(workspace, path) };
  }
  throw noLibrary(text, 'name a file or folder, "sunwell/common" or "fount://package@range"');
}

/** Refuses a library that the user named and that cannot be read. */
export function noLibrary(named: string, problem: string): StudioError {
  return new StudioError('file.not-found', `Cannot find library "${named}": ${problem}`, { library: named });
}

function fromTop(workspace: CommandWorkspace, path: string): string {
  return `./${relative(workspace.root, path).split(sep).join('/')}`;
}
