import { expect, test } from 'vitest';
import type { WorkspaceEntry } from '#shared/model/workspace.ts';
import { entryFilter } from './explorer-query.ts';
import { entryOf } from './testing/fake-engine.ts';

const entries = [
  {
    ...entryOf('lenses/docs.lens', ''),
    name: 'Harbor docs',
    domain: 'Documentation',
    tags: ['python', 'docs'],
  },
  { ...entryOf('lenses/review.lens', ''), name: 'Code review', domain: 'engineering', tags: ['python'] },
  entryOf('lenses/plain.lens', ''),
  entryOf('skills/docs.yaml', ''),
] as WorkspaceEntry[];

test.each([
  ['', ['docs', 'review', 'plain', 'docs']],
  ['docs', ['docs', 'docs']],
  ['harbor DOCS', ['docs']],
  ['domain:doc', ['docs']],
  ['tag:python', ['docs', 'review']],
  ['tag:python review', ['review']],
  ['domain:eng tag:docs', []],
  ['domain:', ['docs', 'review']],
  ['tag:none', []],
])('entryFilter(%j) leaves what has all of it', (typed, names) => {
  const found = entries.filter(entryFilter(typed)).map(({ file }) => file.replace(/.*\/|\..*/g, ''));
  expect(found).toEqual(names);
});
