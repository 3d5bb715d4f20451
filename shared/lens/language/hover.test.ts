import { describe, expect, it } from 'vitest';
import type { LanguageFile } from './file-facts.ts';
import { hoverAt } from './hover.ts';
import { definitionAt, referencesAt } from './navigation.ts';

const library: LanguageFile = {
  file: 'libs/text.skills.yaml',
  kind: 'library',
  text: 'skills:\n  - {name: count, description: Counts *all* words, instructions: c, produces: [words]}\n',
};
const lens: LanguageFile = {
  file: 'mine.lens',
  kind: 'lens',
  text: `metadata: {name: Mine, version: 1.0.0}
extends: ./base.lens
skills:
  - name: report
    description: Reports
    trust: none
    depends_on: [./libs/text.skills.yaml:count]
    requires: [words]
    scripts:
      - {name: a.py, path: tools/a.py}
`,
};
const base: LanguageFile = {
  file: 'base.lens',
  kind: 'lens',
  text: 'metadata: {name: Base, version: 1.0.0}\n',
};
const context = { files: [lens, library, base] };
const at = (part: string, file = lens): number => file.text.indexOf(part) + 1;
const place = (file: string, line: number, column: number, endColumn: number) => ({
  ...{ file, line, column, endLine: line, endColumn },
});

describe('hoverAt()', () => {
  it('tells what a key means', () => {
    expect(hoverAt(lens, at('trust'), context)?.markdown).toBe(
      '**trust**\n\nHow much the scripts may do \\(sandboxed\\)\n\nOne of `full`, `sandboxed`, `none`',
    );
  });

  it('tells what a skill does and where it is defined, without the markup of others', () => {
    expect(hoverAt(lens, at('count]'), context)?.markdown).toBe(
      '**count** · skill\n\nCounts \\*all\\* words\n\nDefined in `libs/text.skills.yaml:2`\n\nNamed in 1 place',
    );
  });

  it('tells who produces and who requires a context key', () => {
    expect(hoverAt(lens, at('words]'), context)?.markdown).toBe(
      '**words** · context key\n\nProduced by `count`\n\nRequired by `report`',
    );
  });

  it('tells nothing of plain text', () => {
    expect(hoverAt(lens, at('Reports'), context)).toBeUndefined();
  });
});

describe('definitionAt()', () => {
  it('finds a skill in its library', () => {
    expect(definitionAt(lens, at('count]'), context)).toEqual([place('libs/text.skills.yaml', 2, 12, 17)]);
  });

  it('finds the file of a library, a lens and a script', () => {
    expect(definitionAt(lens, at('./libs'), context)).toEqual([place('libs/text.skills.yaml', 1, 1, 1)]);
    expect(definitionAt(lens, at('./base'), context)).toEqual([place('base.lens', 1, 1, 1)]);
    expect(definitionAt(lens, at('tools/a'), context)).toEqual([place('tools/a.py', 1, 1, 1)]);
  });

  it('finds nothing for plain text', () => {
    expect(definitionAt(lens, at('Reports'), context)).toEqual([]);
  });
});

describe('referencesAt()', () => {
  it('finds every mention in every file', () => {
    expect(referencesAt(library, at('count', library), context)).toEqual([
      place('mine.lens', 7, 42, 47),
      place('libs/text.skills.yaml', 2, 12, 17),
    ]);
  });
});
