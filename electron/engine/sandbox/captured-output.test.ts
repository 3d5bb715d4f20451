import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CapturedOutput, tailBytes } from './captured-output.ts';

function capture(
  limit: number,
  chunks: readonly Uint8Array[],
): { text: string; streamed: string; isTruncated: boolean } {
  let streamed = '';
  const captured = new CapturedOutput(limit, (text) => (streamed += text));
  for (const chunk of chunks) captured.push(chunk);
  return { text: captured.end(), streamed, isTruncated: captured.isTruncated };
}

test('output up to the limit is kept whole', () => {
  expect(capture(5, [Buffer.from('he'), Buffer.from('llo')])).toEqual({
    text: 'hello',
    streamed: 'hello',
    isTruncated: false,
  });
});

test('output over the limit is marked there, and its end is kept', () => {
  const text = 'hello\n[OUTPUT TRUNCATED]\nlast words\n';
  const told = { text, streamed: text, isTruncated: true };
  expect(capture(5, [Buffer.from('hello world\nlast words\n')])).toEqual(told);
  const more = Array.from({ length: 50 }, (_, i) => Buffer.from(`line ${i} ${'x'.repeat(9000)}\n`));
  const kept = capture(5, [Buffer.from('hello'), ...more, Buffer.from('last words\n')]).text.split('\n');
  expect(kept.map((line) => line.slice(0, 18))).toEqual([
    ...['hello', '[OUTPUT TRUNCATED]'],
    ...Array.from({ length: 7 }, (_, i) => `line ${i + 43} ${'x'.repeat(10)}`),
    ...['last words', ''],
  ]);
});

test('the end of a line without one begins with a whole character, and no colour from before', () => {
  const heard: unknown[] = [];
  const captured = new CapturedOutput(6, (...printed) => heard.push(printed));
  captured.push(Buffer.from(`\x1b[31mr${'é'.repeat(tailBytes)}`));
  captured.push(Buffer.from('x\x1b[1m!'));
  const end = `${'é'.repeat((tailBytes - 6) / 2)}x!`;
  expect(captured.end()).toBe(`r\n[OUTPUT TRUNCATED]\n${end}`);
  expect(heard).toEqual([
    ['r', [{ start: 0, end: 1, hue: 'red' }]],
    ['\n[OUTPUT TRUNCATED]\n', []],
    [end, [{ start: end.length - 1, end: end.length, bold: true }]],
  ]);
});

test('of endless output no more is kept than its beginning and its end, however it comes', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 1, max: 3 * tailBytes }), { maxLength: 12 }), (lengths) => {
      const all = Buffer.alloc(
        lengths.reduce((sum, length) => sum + length, 10),
        'abcdefg',
      );
      let at = 10;
      const chunks = lengths.map((length) => all.subarray(at, (at += length)));
      const { text } = capture(10, [all.subarray(0, 10), ...chunks]);
      const tail = all.subarray(Math.max(10, all.length - tailBytes)).toString();
      expect(text).toBe(
        lengths.length > 0 ? `${all.toString('utf8', 0, 10)}\n[OUTPUT TRUNCATED]\n${tail}` : all.toString(),
      );
    }),
    { numRuns: 30 },
  );
});

test('bytes that are not UTF-8 become replacement characters', () => {
  expect(capture(100, [Buffer.from([0x61, 0xff, 0xfe, 0x62])]).text).toBe('a\ufffd\ufffdb');
});

test('text is the same however it is cut', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: 'grapheme', maxLength: 30 }),
      fc.array(fc.nat(40), { maxLength: 5 }),
      (text, cuts) => {
        const bytes = Buffer.from(text);
        const at = [0, ...cuts.map((cut) => Math.min(cut, bytes.length)).sort((a, b) => a - b), bytes.length];
        const chunks = at.slice(1).map((end, i) => bytes.subarray(at[i], end));
        expect(capture(1000, chunks).text).toBe(capture(1000, [bytes]).text);
      },
    ),
  );
});

test('colours stand beside the text, and go on from one piece to the next', () => {
  const heard: unknown[] = [];
  const captured = new CapturedOutput(1000, (...printed) => heard.push(printed));
  for (const piece of ['a\x1b[31', 'mred', '\x1b[0m\n']) captured.push(Buffer.from(piece));
  expect(captured.end()).toBe('ared\n');
  expect(heard).toEqual([
    ['a', []],
    ['red', [{ start: 0, end: 3, hue: 'red' }]],
    ['\n', []],
  ]);
});
