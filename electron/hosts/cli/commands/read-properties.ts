import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { readSkillProperties, tellUnreadable } from '../skill-properties.ts';

/** Prints the properties of an Agent Skill as the reference validator does: JSON in ASCII, fields in its order. */
export async function readProperties({ terminal, output }: Invocation, word: string): Promise<ExitCode> {
  const skill = await readSkillProperties(word, terminal.workingDirectory);
  if ('problem' in skill) return tellUnreadable(output, skill.problem);
  const { name, description, license, compatibility, allowedTools, metadata } = skill;
  const properties = { name, description, license, compatibility, 'allowed-tools': allowedTools, metadata };
  output.line(asciiJson(properties));
  return ExitCode.ok;
}

function asciiJson(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[^\0-\x7f]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
