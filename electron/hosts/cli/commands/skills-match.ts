import { matchLens } from '#engine/agent-skills/match-lens.ts';
import { ExitCode } from '../exit-code.ts';
import { resolveNamed } from '../find-lens.ts';
import type { Invocation } from '../invocation.ts';
import { noteProblems } from '../problem-note.ts';
import { printTable } from '../table.ts';
import { inert } from '../terminal.ts';

/** Ranks the skills of a lens for a task; an honest nothing where none fits. */
export async function skillsMatch(invocation: Invocation, named: string, task: string): Promise<ExitCode> {
  const { output } = invocation;
  const { resolution } = await resolveNamed(invocation, named);
  const matches = matchLens(resolution, task);
  if (output.isJson) output.document(matches);
  else if (matches.length === 0) output.note(inert(`No skill of "${named}" fits "${task}"`));
  else {
    const rows = matches.map(({ skill, score, reason }) => [skill, score.toFixed(2), reason]);
    printTable(output, ['SKILL', 'SCORE', 'REASON'], rows);
  }
  noteProblems(invocation, resolution);
  return ExitCode.ok;
}
