import { describe, expect, it } from 'vitest';
import { applyEdits } from '#shared/lens/edit/text-lines.ts';
import { DocumentLines, documentChange, editorText } from './model-offsets.ts';

const mixed = '\uFEFFone\r\ntwo\nthree\r\nfour';

function typed(text: string, line: number, column: number, inserted: string, length = 0): string {
  const plain = editorText(text);
  const lines = plain.split('\n');
  const rangeOffset = lines.slice(0, line - 1).join('\n').length + (line > 1 ? 1 : 0) + column - 1;
  const range = {
    startLineNumber: line,
    startColumn: column,
    endLineNumber: line,
    endColumn: column + length,
  };
  return applyEdits(text, [
    documentChange(text, { range, rangeOffset, rangeLength: length, text: inserted }),
  ]);
}

describe('documentChange()', () => {
  it('keeps byte order mark and every other line break of a text that mixes them', () => {
    expect([
      typed(mixed, 1, 1, 'x'),
      typed(mixed, 2, 4, '\r\n  a'),
      typed(mixed, 3, 6, '\n'),
      typed(mixed, 4, 5, '\n'),
    ]).toEqual([
      '\uFEFFxone\r\ntwo\nthree\r\nfour',
      '\uFEFFone\r\ntwo\n  a\nthree\r\nfour',
      '\uFEFFone\r\ntwo\nthree\r\n\r\nfour',
      '\uFEFFone\r\ntwo\nthree\r\nfour\r\n',
    ]);
  });

  it('replaces in a text with line feeds only by the offsets it is given', () => {
    expect([typed('a: 1\nb: 2\n', 2, 4, '3', 1), typed('\uFEFFa: 1\n', 1, 4, '3', 1)]).toEqual([
      'a: 1\nb: 3\n',
      '\uFEFFa: 3\n',
    ]);
  });
});

describe('DocumentLines', () => {
  it('finds every place of an editor again', () => {
    const lines = new DocumentLines(mixed);
    const places = [1, 4, 6, 10, 17].map((offset) => lines.position(offset));
    expect(places).toEqual([
      { lineNumber: 1, column: 1 },
      { lineNumber: 1, column: 4 },
      { lineNumber: 2, column: 1 },
      { lineNumber: 3, column: 1 },
      { lineNumber: 4, column: 1 },
    ]);
    expect(places.map(({ lineNumber, column }) => lines.offset(lineNumber, column))).toEqual([
      1, 4, 6, 10, 17,
    ]);
  });
});
