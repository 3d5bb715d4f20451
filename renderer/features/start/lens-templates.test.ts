import { expect, test } from 'vitest';
import { readLens } from '#shared/lens/read/lens.ts';
import { fileOf, lensTemplates } from './lens-templates.ts';

test.each([
  ['Release notes', 'lenses/release-notes.lens'],
  ['  Übersicht: Häfen & Kähne ', 'lenses/ubersicht-hafen-kahne.lens'],
  ['海の図', 'lenses/海の図.lens'],
  ['../..', 'lenses/new.lens'],
])('fileOf(%j) is a file name that every system can keep', (name, file) => {
  expect(fileOf(name)).toBe(file);
});

test.each(lensTemplates.map((template) => [template.title, template] as const))(
  'the template "%s" reads without a problem, has the name that was typed, and needs no model',
  (_title, { text }) => {
    const name = 'Häfen: "alle" # Kähne';
    const { value, diagnostics } = readLens(text(name), 'lenses/new.lens');
    const skills = value?.skills ?? [];
    expect({
      diagnostics,
      name: value?.metadata.name,
      runs:
        skills.length > 0 && skills.every(({ instructions, scripts }) => !instructions && scripts?.length),
    }).toEqual({ diagnostics: [], name, runs: true });
  },
);
