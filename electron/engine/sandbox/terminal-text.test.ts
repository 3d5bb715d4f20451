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
