import { cleanTerminalText } from '#engine/sandbox/terminal-text.ts';
import type { StepFailure } from '#shared/model/run.ts';
import { inert } from '../terminal.ts';

/** What stands before every line that the script of a skill says. */
export function logPrefix(skill: string): string {
  return `  ${inert(skill)} | `;
}

const lastLines = 10;

/** The end of what a failed script said, which is where most of them say why. */
export function lastWords(skill: string, { stderr = '' }: Pick<StepFailure, 'stderr'>): string[] {
  const said = cleanTerminalText(stderr).trimEnd();
  if (said === '') return [];
  const lines = said.split('\n').slice(-lastLines);
  return lines.map((line) => `${logPrefix(skill)}${line}`);
}

/** What to do about a failure of which the studio knows more than the script. */
export function waysOutOf({ waysOut = [] }: Pick<StepFailure, 'waysOut'>): string[] {
  return waysOut.map(({ sentence }) => inert(`  → ${sentence}`));
}
