import fc from 'fast-check';
import { expect, test } from 'vitest';
import { hunksOf, withHunks } from './hunks.ts';

const numbered = (...changed: number[]): string =>
  Array.from({ length: 40 }, (_, i) => `${changed.includes(i) ? 'new' : 'line'} ${i}\n`).join('');

test('hunksOf() splits a proposal into places that can be taken one by one', () => {
  const hunks = hunksOf(numbered(), numbered(2, 30));
  expect(hunks?.map(({ title }) => title)).toEqual(['@@ -1,6 +1,6 @@', '@@ -28,7 +28,7 @@']);
  expect(withHunks(numbered(), hunks!.slice(1))).toBe(numbered(30));
});

test('withHunks() gives the old text for none and the proposal for all', () => {
  const text = fc
    .array(fc.constantFrom('a', 'b', 'c', '', 'å'), { maxLength: 40 })
    .map((lines) => lines.join('\n'));
  fc.assert(
    fc.property(text, text, (before, after) => {
      const hunks = hunksOf(before, after) ?? [];
      expect([withHunks(before, []), withHunks(before, hunks)]).toEqual([before, after]);
    }),
    { numRuns: 500 },
  );
});
