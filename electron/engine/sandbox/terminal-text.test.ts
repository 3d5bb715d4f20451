import fc from 'fast-check';
import { expect, test } from 'vitest';
import { cleanTerminalText, TerminalTextCleaner } from './terminal-text.ts';

test.each([
  ['plain text ünï 日本 🌊\t\n', 'plain text ünï 日本 🌊\t\n'],
  ['\x1b[31mred\x1b[0m', 'red'],
  ['\x1b]0;title\x07after', 'after'],
  ['\x1b]52;c;aGk=\x1b\\after', 'after'],
  ['\x1bPq#0\x1b\\after', 'after'],
  ['\x1b(Bafter', 'after'],
  ['\x1bcafter', 'after'],
  ['\x9b2Jafter', 'after'],
  ['\x9d0;x\x9cafter', 'after'],
  ['bell\x07 back\x08 nul\x00 del\x7f', 'bell back nul del'],
  ['10%\r20%\r\ndone', '10%\n20%\ndone'],
  ['\x1b]never ended\nnext line', '\nnext line'],
  ['\x1b[31\x18after', 'after'],
  ['\x1b\x1b[31mred', 'red'],
])('cleanTerminalText(%j) is %j', (text, expected) => {
  expect(cleanTerminalText(text)).toBe(expected);
});

const hostile = fc.stringMatching(/^[\x1b\x9b\x9d\x07\x18\r\n;[\]0-9mPa\\é]{0,40}$/);

test('no text that a terminal would act on is left, however it is cut', () => {
  fc.assert(
    fc.property(fc.array(hostile, { maxLength: 6 }), (chunks) => {
      const cleaner = new TerminalTextCleaner();
      const cleaned = chunks.map((chunk) => cleaner.clean(chunk)).join('');
      expect(cleaned).not.toMatch(/[\x00-\x08\x0b-\x1f\x7f-\x9f]/);
      expect(cleaned).toBe(cleanTerminalText(chunks.join('')));
    }),
  );
});

test('clean() tells of colours and of nothing else, with their places, however the text is cut', () => {
  const text =
    'a\x1b[1;31mbc\x1b[2J\x1b]8;;31m\x07d\x9b0me\x1b[31 mf\x1b[' + '1;'.repeat(40) + 'mg\r\n\x1b[mh';
  const told = [
    ['1;31', 1],
    ['0', 4],
    // With a space before the letter it is another sequence; the reader of parameters refuses it.
    ['31 ', 5],
    ['', 8],
  ];
  for (const size of [1, 2, 3, text.length]) {
    const cleaner = new TerminalTextCleaner();
    const heard: unknown[] = [];
    let cleaned = '';
    for (let at = 0; at < text.length; at += size) {
      const before = cleaned.length;
      cleaned += cleaner.clean(text.slice(at, at + size), (parameters, place) =>
        heard.push([parameters, before + place]),
      );
    }
    expect([cleaned, heard]).toEqual(['abcdefg\nh', told]);
  }
});
