import { realpath } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';
import { requireFolder } from '#engine/workspace/text-file.ts';
import { renderCatalog } from '#shared/agent-skills/catalog.ts';
import type { CatalogSkill, CatalogStyle } from '#shared/agent-skills/catalog.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { readSkillProperties, tellUnreadable } from '../skill-properties.ts';
import { inert } from '../terminal.ts';

export interface ToPromptOptions {
  readonly style: CatalogStyle;
  readonly root?: string;
}

/** Prints the block that lists skills in a prompt; one skill that cannot be read, and nothing is printed. */
export async function toPrompt(
  { terminal, output }: Invocation,
  words: readonly string[],
  { style, root }: ToPromptOptions,
): Promise<ExitCode> {
  const base = root === undefined ? undefined : await realFolder(resolve(terminal.workingDirectory, root));
  const skills: CatalogSkill[] = [];
  for (const word of words) {
    const skill = await readSkillProperties(word, terminal.workingDirectory);
    if ('problem' in skill) return tellUnreadable(output, skill.problem);
    const { name, description, file } = skill;
    const location = base === undefined ? file : relative(base, file).split(sep).join('/');
    skills.push({ name, description, location });
  }
  const prompt = renderCatalog(skills, style);
  if (output.isJson) output.document({ prompt, skills });
  // A pipe gets the exact bytes; a terminal must not obey what a stranger wrote.
  else output.line(terminal.stdout.isTTY ? prompt.split('\n').map(inert).join('\n') : prompt);
  return ExitCode.ok;
}

/** Locations are real paths, so what they are relative to must be one too. */
async function realFolder(folder: string): Promise<string> {
  requireFolder(folder);
  return realpath(folder);
}
