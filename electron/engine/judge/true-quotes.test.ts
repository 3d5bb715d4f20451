import fc from 'fast-check';
import { expect, test } from 'vitest';
import { trueQuotes } from './true-quotes.ts';

const words = fc.array(fc.stringMatching(/^[a-z]{1,5}$/), { minLength: 1, maxLength: 30 });
const blanks = fc.constantFrom(' ', '\n', '  ', '\t', '\n\n', ' \n ');

test('trueQuotes() finds any words of a work however they are broken, in the line where they begin', () => {
  fc.assert(
    fc.property(words, fc.array(blanks, { minLength: 30 }), fc.nat(), fc.nat(), (list, between, a, b) => {
      const text = list.map((word, i) => word + between[i % between.length]!).join('');
      const [from, to] = [a % list.length, b % list.length].sort((x, y) => x - y) as [number, number];
      const quote = list.slice(from, to + 1).join(' ');
      const [found] = trueQuotes([quote], { content: '', files: [{ path: 'a.md', text }] });
      expect(found).toMatchObject({ quote, file: 'a.md' });
      // The same words may stand earlier; never later than where they were taken from.
      const before = list.slice(0, from).map((word, i) => word + between[i % between.length]!);
      expect(found!.line).toBeLessThanOrEqual(before.join('').split('\n').length);
      expect(text.split('\n')[found!.line! - 1]).toContain(list[from]!.slice(0, 1));
    }),
  );
});

test('trueQuotes() leaves out what is not there, what is empty or endless, and what comes twice', () => {
  const work = { content: 'One two\nthree', files: [{ path: 'b.md', text: 'four' }] };
  const quotes = ['two three', ' two  three ', 'two, three', '', ' ', 'four', 'Four', 'x'.repeat(2000)];
  expect(trueQuotes(quotes, work)).toEqual([
    { quote: 'two three', line: 1 },
    { quote: 'four', file: 'b.md', line: 1 },
  ]);
});
