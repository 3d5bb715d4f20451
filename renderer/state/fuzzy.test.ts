import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fuzzyMatch } from './fuzzy.ts';

describe('fuzzyMatch()', () => {
  it('prefers the start of the text, then the start of a word, then anything', () => {
    const scores = ['api-docs', 'extract-api', 'rapid'].map((text) => fuzzyMatch('api', text)?.score ?? 0);
    expect(scores).toEqual(scores.toSorted((a, b) => b - a));
    expect(new Set(scores).size).toBe(3);
  });

  it('points at the letters it matched', () => {
    const words = fc.string({ minLength: 1, unit: fc.constantFrom(...'abcAB-. ') });
    fc.assert(
      fc.property(words, words, (query, text) => {
        const match = fuzzyMatch(query, text);
        const wanted = query.toLowerCase().replace(/\s+/g, '');
        const got = match?.positions.map((at) => text[at]?.toLowerCase()).join('');
        return match === undefined || got === wanted;
      }),
    );
  });

  it('finds every text by a part of itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'abc-') }), fc.nat(), fc.nat(), (text, a, b) => {
        const part = text.slice(Math.min(a, b) % (text.length + 1), Math.max(a, b));
        return fuzzyMatch(part, text) !== undefined;
      }),
    );
  });
});
