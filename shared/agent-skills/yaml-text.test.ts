import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parse } from 'yaml';
import { yamlText } from './yaml-text.ts';

const awkward = [
  'yes', 'No', 'on', 'Off', 'y', 'TRUE', 'null', '~', '', ' ', '1', '1.0', '0x1F', '1e3', '.inf', '.NaN', '1_000', '12:30',
  '2001-01-01', '=', '<<', '- a', '? a', 'a: b', 'a #b', '#a', '@a', '`a', '%a', '!a', '&a', '*a', '|', '>', '[a', '{a', '"a"',
  "'a'", "it's", 'a\\b', 'a\nb', '\ta', 'a ', '\u0085', '\u2028', '\ufeff', '\u0000', '\ud800', 'é', '🙂', '---', '...',
]; // prettier-ignore

/** A YAML 1.1 reader sees numbers, dates and switches where a 1.2 reader sees text. */
function read(text: string): unknown[] {
  return (['1.1', '1.2'] as const).flatMap((version) => [
    parse(`k: ${text}\n`, { version }) as unknown,
    parse(`${text}: v\n`, { version, stringKeys: true }) as unknown,
  ]);
}

test.each(awkward)('yamlText() writes %j so that every reader gets that text', (text) => {
  expect(yamlText(text)).not.toMatch(/[\r\n]/);
  expect(read(yamlText(text))).toEqual([{ k: text }, { [text]: 'v' }, { k: text }, { [text]: 'v' }]);
});

test('yamlText() writes any text so', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.string({ unit: 'binary' })), (text) => {
      fc.pre(text !== '__proto__');
      expect(read(yamlText(text))).toEqual([{ k: text }, { [text]: 'v' }, { k: text }, { [text]: 'v' }]);
    }),
  );
});

test('yamlText() leaves plain sentences plain', () => {
  expect(yamlText('Reads PDF files, and (sometimes) more.')).toBe('Reads PDF files, and (sometimes) more.');
});
