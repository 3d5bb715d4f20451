import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { StyledSpan } from './model/output-style.ts';
import { OutputStyles, spansWithin } from './output-styles.ts';

/** How a text looks after these sequences. */
function lookAfter(...sequences: string[]): Omit<StyledSpan, 'start' | 'end'> | undefined {
  const styles = new OutputStyles();
  for (const sequence of sequences) styles.change(sequence, 0);
  const [span] = styles.take(1);
  if (!span) return undefined;
  const { start: _start, end: _end, ...look } = span;
  return look;
}

describe('OutputStyles', () => {
  it.each([
    ['31', { hue: 'red' }],
    ['1;4;33', { hue: 'yellow', bold: true, underline: true }],
    ['90', { hue: 'grey' }],
    ['95', { hue: 'magenta' }],
    ['2', { hue: 'grey' }],
    ['38;5;196', { hue: 'red' }],
    ['38;5;46;3', { hue: 'green', italic: true }],
    ['38;5;244', { hue: 'grey' }],
    ['38;2;255;165;0', { hue: 'yellow' }],
    ['38:2::10:20:250', { hue: 'blue' }],
    ['58;5;1;36', { hue: 'cyan' }],
    ['4:3', { underline: true }],
    ['30;41', { hue: 'red' }],
    ['7;42', { hue: 'green' }],
  ] as const)('knows "%s"', (sequence, look) => {
    expect(lookAfter(sequence)).toEqual(look);
  });

  it.each(['', '0', '30', '37', '8', '5', '38', '38;5', '>4;2', '?31', '4:0', '999', '38;2;255;255;255'])(
    'shows "%s" as any other text',
    (sequence) => {
      expect(lookAfter(sequence)).toBeUndefined();
    },
  );

  it.each([
    ['22', { hue: 'red', italic: true }],
    ['23;39', { bold: true }],
    ['0;32', { hue: 'green' }],
    [';32', { hue: 'green' }],
  ] as const)('goes on from what was before "%s"', (sequence, look) => {
    expect(lookAfter('1;3;31', sequence)).toEqual(look);
  });

  const pieces = fc.array(
    fc.record({
      parameters: fc.stringMatching(/^[0-9;:?>]{0,12}$/),
      text: fc.string({ maxLength: 6 }),
    }),
    { maxLength: 12 },
  );

  it('has parts in order, apart and within the text, the same however the text is cut', () => {
    fc.assert(
      fc.property(pieces, fc.integer({ min: 1, max: 4 }), (printed, cutEvery) => {
        const whole = new OutputStyles();
        const cut = new OutputStyles();
        const [seen, seenInPieces]: [string[], string[]] = [[], []];
        let length = 0;
        let cutLength = 0;
        printed.forEach(({ parameters, text }, i) => {
          whole.change(parameters, length);
          cut.change(parameters, cutLength);
          length += text.length;
          cutLength += text.length;
          if (i % cutEvery !== 0) return;
          seenInPieces.push(...looks(cut.take(cutLength), cutLength));
          cutLength = 0;
        });
        seenInPieces.push(...looks(cut.take(cutLength), cutLength));
        seen.push(...looks(whole.take(length), length));
        expect(seenInPieces).toEqual(seen);
      }),
    );
  });
});

/** The look of every character, after a check of the parts themselves. */
function looks(spans: readonly StyledSpan[], length: number): string[] {
  const all = Array.from({ length }, () => '{}');
  let last = 0;
  for (const { start, end, ...look } of spans) {
    expect(start).toBeGreaterThanOrEqual(last);
    expect(end).toBeGreaterThan(start);
    expect(end).toBeLessThanOrEqual(length);
    last = end;
    all.fill(JSON.stringify(look), start, end);
  }
  return all;
}

describe('spansWithin()', () => {
  it('cuts parts to the stretch and counts from where it will stand', () => {
    const spans: StyledSpan[] = [
      { start: 0, end: 4, hue: 'red' },
      { start: 4, end: 5, bold: true },
      { start: 8, end: 20, hue: 'blue' },
    ];
    expect(spansWithin(spans, { start: 2, end: 10 }, 100)).toEqual([
      { start: 100, end: 102, hue: 'red' },
      { start: 102, end: 103, bold: true },
      { start: 106, end: 108, hue: 'blue' },
    ]);
  });
});
