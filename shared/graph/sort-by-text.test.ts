import fc from 'fast-check';
import { expect, test } from 'vitest';
import { compareText } from './compare-text.ts';
import { sortByText } from './sort-by-text.ts';

function orderOf(texts: readonly string[]) {
  const compare = (a: number, b: number): number => compareText(texts[a]!, texts[b]!) || a - b;
  return { texts, compare };
}

function sorted(texts: readonly string[]): number[] {
  const indexes = Int32Array.from(texts, (_, i) => texts.length - 1 - i);
  sortByText(indexes, orderOf(texts));
  return [...indexes];
}

/** Few letters and common beginnings, so that equal texts and texts that begin others are usual. */
const name = fc.oneof(
  fc.string({ unit: fc.constantFrom('a', 'b', '-', 'é', '😀', '\u0000'), maxLength: 6 }),
  fc.nat(30).map((n) => `draft-documentation-${n}`),
);

test('sortByText() sorts any texts as comparing them does', () => {
  fc.assert(
    fc.property(fc.array(name, { maxLength: 120 }), (texts) => {
      expect(sorted(texts)).toEqual(texts.map((_, i) => i).sort(orderOf(texts).compare));
    }),
    { numRuns: 500 },
  );
});

test('sortByText() takes long common beginnings, and more letters than it takes steps', () => {
  const alike = Array.from({ length: 500 }, (_, i) => `${'x'.repeat(5000)}${(i * 7) % 500}`);
  const letters = Array.from({ length: 20_000 }, (_, i) => String.fromCharCode(20_000 - i));
  for (const texts of [alike, letters, new Array<string>(5000).fill('same')]) {
    expect(sorted(texts)).toEqual(texts.map((_, i) => i).sort(orderOf(texts).compare));
  }
});
