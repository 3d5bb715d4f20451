import { describe, expect, it } from 'vitest';
import { RunLog } from './run-log.svelte.ts';

describe('RunLog', () => {
  it('append() joins pieces of one line, and keeps scripts and streams apart', () => {
    const log = new RunLog();
    log.append({ skill: 'a', stream: 'stdout' }, 'one\ntw');
    log.append({ skill: 'b', stream: 'stdout' }, 'x\n');
    log.append({ skill: 'a', stream: 'stderr' }, 'err\n');
    log.append({ skill: 'a', stream: 'stdout' }, 'o\n\nend\n');
    expect(log.lines.map(({ skill, stream, text }) => `${skill} ${stream} ${text}`)).toEqual([
      'a stdout one',
      'a stdout two',
      'b stdout x',
      'a stderr err',
      'a stdout ',
      'a stdout end',
    ]);
  });

  it('append() keeps the newest hundred thousand lines and counts the rest', () => {
    const log = new RunLog();
    for (let i = 0; i < 130; i++) log.append({ skill: 'a', stream: 'stdout' }, 'line\n'.repeat(1000));
    expect(log.lines.length).toBeLessThanOrEqual(110_000);
    expect(log.lines.length + log.dropped).toBe(130_000);
    expect(log.lines.at(-1)?.number).toBe(130_000);
    log.append({ skill: 'a', stream: 'stdout' }, 'open');
    log.append({ skill: 'a', stream: 'stdout' }, ' end');
    expect(log.lines.at(-1)?.text).toBe('open end');
  });

  it('append() cuts a line without an end', () => {
    const log = new RunLog();
    for (let i = 0; i < 20; i++) log.append({ skill: 'a', stream: 'stdout' }, 'x'.repeat(1000));
    expect(log.lines.map(({ text }) => text.length)).toEqual([10_000]);
  });

  it('append() keeps colours with their line, also where it comes in pieces', () => {
    const log = new RunLog();
    const from = { skill: 'a', stream: 'stdout' } as const;
    log.append(from, 'one\ntw', [{ start: 1, end: 6, hue: 'red' }]);
    log.append(from, 'o\nthree\n', [{ start: 0, end: 1, bold: true }]);
    expect(log.lines.map(({ text, styles }) => [text, styles])).toEqual([
      ['one', [{ start: 1, end: 3, hue: 'red' }]],
      [
        'two',
        [
          { start: 0, end: 2, hue: 'red' },
          { start: 2, end: 3, bold: true },
        ],
      ],
      ['three', undefined],
    ]);
  });

  it('append() keeps a hundred colours of a line at most', () => {
    const log = new RunLog();
    const styles = Array.from({ length: 5000 }, (_, i) => ({ start: i, end: i + 1, bold: true as const }));
    const from = { skill: 'a', stream: 'stdout' } as const;
    for (let i = 0; i < 2; i++) log.append(from, 'x'.repeat(5000), styles);
    expect(log.lines.map(({ text, styles: kept }) => [text.length, kept?.length])).toEqual([[10_000, 100]]);
  });

  it('append() keeps no more characters than a window can hold', () => {
    const log = new RunLog();
    const block = `${'x'.repeat(10_000)}\n`.repeat(100);
    for (let i = 0; i < 40; i++) log.append({ skill: 'a', stream: 'stdout' }, block);
    const kept = log.lines.reduce((sum, { text }) => sum + text.length, 0);
    expect(kept).toBeLessThanOrEqual(35_200_000);
    expect(kept).toBeGreaterThan(31_000_000);
    expect(log.lines.length + log.dropped).toBe(4_000);
  });

  it('settled counts the lines before the first that still grows', () => {
    const log = new RunLog();
    log.append({ skill: 'a', stream: 'stdout' }, 'one\ntw');
    log.append({ skill: 'b', stream: 'stdout' }, 'x\ny\n');
    expect([log.lines.length, log.settled]).toEqual([4, 1]);
    log.append({ skill: 'a', stream: 'stdout' }, 'o\n');
    expect([log.lines.length, log.settled]).toEqual([4, 4]);
  });
});
