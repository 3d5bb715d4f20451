import fc from 'fast-check';
import { expect, test } from 'vitest';
import { CapturedOutput } from './captured-output.ts';

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

test('output over the limit is cut there and marked', () => {
  const text = 'hello\n[OUTPUT TRUNCATED]\n';
  expect(capture(5, [Buffer.from('hello world')])).toEqual({ text, streamed: text, isTruncated: true });
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
