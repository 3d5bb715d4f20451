import type { Completion } from './completion.ts';
import type { CursorPlace } from './cursor-place.ts';
import { factsOf } from './file-facts.ts';
import type { LanguageFile } from './file-facts.ts';
import { skillAt } from './skill-at.ts';

const fixed: Readonly<Record<string, string>> = {
  Name: 'The name of the skill, as in "CheckLinks"',
  name: 'The name of the skill, as in "check-links"',
  NAME: 'The name of the skill, as in "CHECK_LINKS"',
  WORKSPACE_ROOT: 'The folder of the workspace',
  LENS_DIR: 'The folder of the file that defines the skill',
  TEMP_DIR: 'A folder of its own that is gone after the run',
  DATE: 'The day of the run, as in "2026-11-16"',
  TIMESTAMP: 'The moment of the run',
};

/** What `${…}` can stand for at the cursor: what the skill requires, and what every skill has. */
export function variablesAt(file: LanguageFile, { path, mayBeValue }: CursorPlace): Completion[] {
  const skill = mayBeValue ? skillAt(factsOf(file), path) : undefined;
  if (!skill) return [];
  const keys = (skill.requires ?? []).map(({ key }) => key);
  return [
    ...keys.map((label) => item(label, `"${skill.name}" requires it`, 0)),
    ...Object.entries(fixed).map(([label, documentation]) => item(label, documentation, 1)),
  ];
}

function item(label: string, documentation: string, rank: number): Completion {
  return { label, documentation, kind: 'variable', insert: label, rank };
}
