import fc from 'fast-check';
import { expect, test } from 'vitest';
import { KeyFilter, withoutKey } from './key-filter.ts';

const key = 'sk-aab-aabaab-"x"';
const base64 = Buffer.from(key).toString('base64');

test('KeyFilter lets no form of the key through, however the text was cut into pieces', () => {
  const word = fc.constantFrom(
    key,
    key.slice(0, 7),
    key.slice(3),
    base64,
    JSON.stringify(key),
    'a',
    'sk-',
    ' ',
  );
  fc.assert(
    fc.property(fc.array(word, { maxLength: 12 }), fc.array(fc.nat(9), { maxLength: 80 }), (words, sizes) => {
      const text = words.join('');
      const filter = new KeyFilter(key);
      let safe = '';
      let at = 0;
      for (const size of sizes) {
        safe += filter.push(text.slice(at, at + size));
        at += size;
      }
      safe += filter.push(text.slice(at)) + filter.flush();
      expect(safe).not.toContain(key);
      expect(safe).not.toContain(base64);
      expect(withoutKey(safe, key)).toBe(safe);
      expect(safe.replaceAll('[redacted]', '').length).toBeLessThanOrEqual(text.length);
    }),
  );
});

test('withoutKey() leaves a text alone for a key as short as a word', () => {
  expect(withoutKey('the end', 'the')).toBe('the end');
});
