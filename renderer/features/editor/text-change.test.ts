import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { textChange } from './text-change.ts';

describe('textChange()', () => {
  it('touches only what differs', () => {
    expect(textChange('one\ntwo\nthree\n', 'one\n2\nthree\n')).toEqual({
      place: { line: 2, column: 1, endLine: 2, endColumn: 4 },
      text: '2',
    });
    expect(textChange('same', 'same')).toBeUndefined();
  });

  it('never cuts a letter of two units in half', () => {
    expect(textChange('a😀b', 'a😁b')).toEqual({
      place: { line: 1, column: 2, endLine: 1, endColumn: 4 },
      text: '😁',
    });
  });

  it('makes one text the other, whatever they are', () => {
    const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n', '😀', '😁'), maxLength: 12 });
    fc.assert(
      fc.property(text, text, (before, after) => {
        const change = textChange(before, after);
        if (!change) {
          expect(before).toBe(after);
          return;
        }
        const { line, column, endLine, endColumn } = change.place;
        const lines = before.split('\n');
        const offset = (l: number, c: number): number =>
          lines.slice(0, l - 1).reduce((sum, known) => sum + known.length + 1, 0) + c - 1;
        expect(
          before.slice(0, offset(line, column)) + change.text + before.slice(offset(endLine, endColumn)),
        ).toBe(after);
        expect(/\p{Surrogate}/u.test(change.text)).toBe(false);
      }),
    );
  });
});
