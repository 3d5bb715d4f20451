import { Workspace } from '#engine/workspace/workspace.ts';
import type { WorkspaceEntry } from '#shared/model/workspace.ts';
import { workspaceFolder } from '../workspace-folder.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { printTable } from '../table.ts';
import { inert } from '../terminal.ts';
import type { Output } from '../terminal.ts';

type Lens = Extract<WorkspaceEntry, { kind: 'lens' }>;

/** Lists the lenses of the workspace with what their first lines say. */
export async function lensList(invocation: Invocation): Promise<ExitCode> {
  const { terminal, output } = invocation;
  await using workspace = await Workspace.open(workspaceFolder(invocation));
  terminal.interrupted.throwIfAborted();
  const { entries, location, leftOut } = workspace.snapshot();
  const lenses = entries.filter((entry) => entry.kind === 'lens');
  if (output.isJson) output.document(lenses.map(({ kind: _, revision: __, ...lens }) => lens));
  else if (lenses.length > 0) printLenses(output, lenses);
  else output.note(`No lenses in "${inert(location)}": open another folder with --workspace`);
  for (const { file, problem } of lenses) {
    if (problem !== undefined) output.note(inert(`Cannot read "${file}": ${problem}`));
  }
  if (leftOut !== undefined) output.note(inert(leftOut));
  return ExitCode.ok;
}

function printLenses(output: Output, lenses: readonly Lens[]): void {
  const rows = lenses.map(({ name, version, skillCount, file }) => [
    name,
    version ?? '–',
    String(skillCount),
    file,
  ]);
  printTable(output, ['NAME', 'VERSION', 'SKILLS', 'FILE'], rows);
}
