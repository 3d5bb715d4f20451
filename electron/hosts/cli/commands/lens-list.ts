import { Workspace } from '#engine/workspace/workspace.ts';
import type { WorkspaceEntry } from '#shared/model/workspace.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { inert } from '../terminal.ts';
import type { Output } from '../terminal.ts';
import { findWorkspaceFolder } from '../workspace-folder.ts';

type Lens = Extract<WorkspaceEntry, { kind: 'lens' }>;

/** Lists the lenses of the workspace with what their first lines say. */
export async function lensList({ terminal, output, workspace: asked }: Invocation): Promise<ExitCode> {
  const folder = asked ?? findWorkspaceFolder(terminal.workingDirectory) ?? terminal.workingDirectory;
  await using workspace = await Workspace.open(folder);
  terminal.interrupted.throwIfAborted();
  const { entries, location, leftOut } = workspace.snapshot();
  const lenses = entries.filter((entry) => entry.kind === 'lens');
  if (output.isJson) output.document(lenses.map(({ kind: _, revision: __, ...lens }) => lens));
  else if (lenses.length > 0) printTable(output, lenses);
  else output.note(`No lenses in "${inert(location)}": open another folder with --workspace`);
  for (const { file, problem } of lenses) {
    if (problem !== undefined) output.note(inert(`Cannot read "${file}": ${problem}`));
  }
  if (leftOut !== undefined) output.note(inert(leftOut));
  return ExitCode.ok;
}

function printTable(output: Output, lenses: readonly Lens[]): void {
  const rows = lenses.map(({ name, version, skillCount, file }) =>
    [name, version ?? '–', String(skillCount), file].map(inert),
  );
  const head = ['NAME', 'VERSION', 'SKILLS', 'FILE'];
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map((row) => row[column]?.length ?? 0)));
  const lineOf = (row: readonly string[]): string =>
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd();
  output.line(output.styled('dim', lineOf(head)));
  for (const row of rows) output.line(lineOf(row));
}
