import { cleanTerminalText } from '#engine/sandbox/terminal-text.ts';
import type { PromptPreview } from '#shared/model/prompt.ts';
import { countText } from '#shared/quantities.ts';
import { ExitCode } from '../exit-code.ts';
import { resolveNamed } from '../find-lens.ts';
import type { Invocation } from '../invocation.ts';
import { howToAsk } from '../run/model-words.ts';
import { CommandRuns } from '../run/open-runs.ts';
import { runRequest, type RunWords } from '../run/run-words.ts';
import { inert } from '../terminal.ts';

export type LensPromptOptions = Pick<
  RunWords,
  'task' | 'input' | 'inputFile' | 'model' | 'judgeModel' | 'manual' | 'replay'
>;

/** Prints what a model would be sent for one skill; asks nobody. */
export async function lensPrompt(
  invocation: Invocation,
  [named, skill]: readonly [lens: string, skill: string],
  options: LensPromptOptions,
): Promise<ExitCode> {
  const { output } = invocation;
  const { resolution, workspace } = await resolveNamed(invocation, named);
  const request = await runRequest(invocation, resolution.skills, options);
  await using session = new CommandRuns(invocation, workspace, howToAsk(invocation, options));
  const preview = await session.runs.previewPrompt(resolution, skill, request);
  if (output.isJson) output.document(preview);
  else print(invocation, preview);
  return ExitCode.ok;
}

function print({ output }: Invocation, { parts, tokens, tools, notes, produces }: PromptPreview): void {
  for (const { title, text, tokens: own } of parts) {
    output.line(output.styled('bold', `${title} (about ${countText(own, 'token')})`));
    output.line(`${cleanTerminalText(text)}\n`);
  }
  for (const { name, description } of tools) output.line(inert(`Tool ${name}: ${description}`));
  if (produces.length > 0) output.line(inert(`Answered by fields: ${produces.join(', ')}`));
  for (const note of notes) output.note(inert(note));
  output.note(`About ${countText(tokens, 'token')} in all`);
}
