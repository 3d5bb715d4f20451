import { stringify } from 'yaml';
import { draftEntry } from './skill-draft.ts';
import { skillTemplates } from './skill-templates.ts';

/** A whole skill to insert: its lines without the dash, in the notation in which `$` and `}` mean something. */
export interface SkillSnippet {
  readonly label: string;
  readonly documentation: string;
  readonly lines: readonly string[];
}

/** The same skills that a new one can start from, for whoever writes the text; those without a name stand for nothing. */
export const skillSnippets: readonly SkillSnippet[] = skillTemplates
  .filter(({ draft }) => draft.name !== '')
  .map(({ title, detail, draft }) => ({
    label: title,
    documentation: detail,
    lines: stringify(draftEntry(draft), { version: '1.2', lineWidth: 0 })
      .trimEnd()
      .split('\n')
      .map((line) => line.replace(/[\\$}]/g, '\\$&')),
  }));
