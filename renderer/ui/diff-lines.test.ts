import { describe, expect, it } from 'vitest';
import { diffLines } from './diff-lines.ts';

describe('diffLines()', () => {
  it('leaves out what stayed far from a change and says where it goes on', () => {
    const before = Array.from({ length: 20 }, (_, i) => `${i + 1}\n`).join('');
    const lines = diffLines(before, before.replace('20\n', 'twenty\n'));
    expect(lines.map(({ kind, text }) => `${kind} ${text}`)).toEqual([
      'gap line 17',
      ...['same 17', 'same 18', 'same 19', 'removed 20', 'added twenty'],
    ]);
  });

  it('shows everything as replaced when comparing would take too long', () => {
    const text = (of: string) => Array.from({ length: 30_000 }, (_, i) => `${of}${i}`).join('\n');
    const startedAt = performance.now();
    const lines = diffLines(text('a'), text('b'));
    expect([lines.length, lines[0], performance.now() - startedAt < 5000]).toEqual([
      60_000,
      { kind: 'removed', text: 'a0' },
      true,
    ]);
  });
});
