import { saveFixture } from '#engine/fixtures/save-fixture.ts';
import { CommandWorkspace } from '../command-workspace.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { CommandRuns } from '../run/open-runs.ts';
import { inert } from '../terminal.ts';
import { findRun } from './run.ts';

/** Writes a run down as a fixture of its lens. */
export async function runSaveFixture(
  invocation: Invocation,
  named: string,
  choice: { skill?: string; name?: string },
): Promise<ExitCode> {
  const { output } = invocation;
  const workspace = await CommandWorkspace.open(invocation);
  await using session = new CommandRuns(invocation, workspace);
  const record = await session.runs.show(await findRun(session.runs, named));
  const saved = await saveFixture(workspace.root, record, choice);
  if (output.isJson) output.document({ run: record.runId, ...saved });
  else output.note(inert(`Written: "${saved.name}" into ${saved.file}`));
  return ExitCode.ok;
}
