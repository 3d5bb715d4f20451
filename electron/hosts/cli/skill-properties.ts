import { join } from 'node:path';
import type { SkillProperties } from '#shared/agent-skills/check-fields.ts';
import type { SkillProblemCode } from '#shared/agent-skills/problem.ts';
import { ExitCode } from './exit-code.ts';
import { openSkill, readOpened } from './open-skill.ts';
import type { Output } from './terminal.ts';
import { inert } from './terminal.ts';

/** The properties of a skill that has a name and a description. */
export interface ReadProperties extends SkillProperties {
  readonly name: string;
  readonly description: string;
  /** Its SKILL.md on this machine. */
  readonly file: string;
}

/** What keeps a name and a description from being read; the rest is for `validate-skill` to tell. */
const decisive: ReadonlySet<SkillProblemCode> = new Set([
  'agent-skill.too-large',
  'agent-skill.not-utf8',
  'agent-skill.no-frontmatter',
  'agent-skill.unclosed-frontmatter',
  'agent-skill.not-a-map',
  'agent-skill.bad-yaml',
  'agent-skill.duplicate-key',
  'agent-skill.missing-name',
  'agent-skill.missing-description',
]);

/** Reads the properties of the skill that a word names, or says in the reference validator's words why not. */
export async function readSkillProperties(
  word: string,
  workingDirectory: string,
): Promise<ReadProperties | { readonly problem: string }> {
  const skill = await openSkill(word, workingDirectory);
  if ('reason' in skill) {
    return {
      problem: skill.reason === 'unreadable' ? skill.message : `SKILL.md not found in ${skill.shown}`,
    };
  }
  const { problems, properties } = readOpened(skill, 'strict');
  const { name, description } = properties;
  const found = problems.find(({ code, severity }) => severity === 'error' && decisive.has(code));
  if (found) return { problem: found.message };
  if (name === undefined || description === undefined) {
    throw new Error('A skill without a problem has a name and a description');
  }
  return { ...properties, name, description, file: join(skill.folder, skill.fileName) };
}

/** Tells why properties could not be read, and ends the command. */
export function tellUnreadable(output: Output, problem: string): ExitCode {
  output.note(`Error: ${inert(problem)}`);
  if (output.isJson)
    output.document({ error: { code: 'agent-skill.invalid', message: problem, details: {} } });
  return ExitCode.failed;
}
