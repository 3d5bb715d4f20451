import fc from 'fast-check';
import { expect, it } from 'vitest';
import { applyEdits } from '#shared/lens/edit/text-lines.ts';
import { changeBetween } from './sent-text.ts';

it('changeBetween() makes one text the other', () => {
  const text = fc.string({ unit: fc.constantFrom('a', 'b', '\n'), maxLength: 12 });
  fc.assert(
    fc.property(text, text, (before, after) => {
      expect(applyEdits(before, [changeBetween(before, after)])).toBe(after);
    }),
  );
});

it('changeBetween() names nothing but what was typed', () => {
  expect(changeBetween('skills:\n  - a\n', 'skills:\n  - ab\n')).toEqual({ start: 13, end: 13, text: 'b' });
  expect(changeBetween('same', 'same')).toEqual({ start: 4, end: 4, text: '' });
});
