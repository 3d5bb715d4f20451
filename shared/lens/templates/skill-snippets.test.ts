import { parse } from 'yaml';
import { expect, test } from 'vitest';
import { draftEntry } from './skill-draft.ts';
import { skillSnippets } from './skill-snippets.ts';
import { skillTemplates } from './skill-templates.ts';

test('skillSnippets hold the templates as they are, once an editor has taken its own signs away', () => {
  const named = skillTemplates.filter(({ draft }) => draft.name !== '');
  const entries = skillSnippets.map(
    ({ lines }) => parse(lines.join('\n').replace(/\\([\\$}])/g, '$1')) as unknown,
  );
  expect(entries).toEqual(named.map(({ draft }) => draftEntry(draft)));
});
