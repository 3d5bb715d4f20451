import { describe, expect, it } from 'vitest';
import { logPieces } from './log-pieces.ts';

describe('logPieces()', () => {
  it('has the whole text, with what is coloured apart', () => {
    const red = { start: 1, end: 3, hue: 'red' as const };
    const bold = { start: 3, end: 4, bold: true as const };
    expect(logPieces({ text: 'abcdef', styles: [red, bold] })).toEqual([
      { text: 'a' },
      { text: 'bc', span: red },
      { text: 'd', span: bold },
      { text: 'ef' },
    ]);
    expect(logPieces({ text: 'plain' })).toEqual([{ text: 'plain' }]);
    expect(logPieces({ text: '' })).toEqual([]);
  });
});
