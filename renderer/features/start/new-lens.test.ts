import { expect, test } from 'vitest';
import { readLens } from '#shared/lens/read/lens.ts';
import { lensTemplates } from '#shared/lens/templates/lens-templates.ts';
import { fileOf } from './lens-file.ts';
import { outlineOf } from './lens-outline.ts';

test.each([
  ['Release notes', 'lenses/release-notes.lens'],
  ['  Übersicht: Häfen & Kähne ', 'lenses/ubersicht-hafen-kahne.lens'],
  ['海の図', 'lenses/海の図.lens'],
  ['../..', 'lenses/new.lens'],
])('fileOf(%j) is a file name that every system can keep', (name, file) => {
  expect(fileOf(name)).toBe(file);
});

test.each(lensTemplates.map((template) => [template.title, template] as const))(
  'the template "%s" reads without a problem and has the name that was typed',
  (_title, { text }) => {
    const name = 'Häfen: "alle" # Kähne';
    const { value, diagnostics } = readLens(text(name), 'lenses/new.lens');
    expect({ diagnostics, name: value.metadata.name }).toEqual({ diagnostics: [], name });
  },
);

test('outlineOf() tells the waves of a template and whether it needs a model', () => {
  const outlines = lensTemplates.map(({ id, text }) => {
    const { waves, needsModel } = outlineOf(text('A'));
    return [id, waves.map((wave) => wave.map(({ name }) => name).join(' ')).join(' > '), needsModel];
  });
  expect(outlines).toEqual([
    ['scripts', 'list-files > find-open-ends > write-report', false],
    ['docs', 'check-links list-pages > find-weak-pages > report-docs', false],
    ['review', 'collect-code > review-code', true],
    ['tests', 'list-functions > find-untested > write-tests', true],
    ['question', 'search', false],
    ['one', 'count-words', false],
    ['empty', '', false],
  ]);
});
