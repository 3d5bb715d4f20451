import { describe, expect, it } from 'vitest';
import { RunLog } from './run-log.svelte.ts';

describe('RunLog', () => {
  it('append() joins pieces of one line, and keeps scripts and streams apart', () => {
    const log = new RunLog();
    log.append('a', 'stdout', 'one\ntw');
    log.append('b', 'stdout', 'x\n');
    log.append('a', 'stderr', 'err\n');
    log.append('a', 'stdout', 'o\n\nend\n');
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
    for (let i = 0; i < 130; i++) log.append('a', 'stdout', 'line\n'.repeat(1000));
    expect(log.lines.length).toBeLessThanOrEqual(110_000);
    expect(log.lines.length + log.dropped).toBe(130_000);
    expect(log.lines.at(-1)?.number).toBe(130_000);
    log.append('a', 'stdout', 'open');
    log.append('a', 'stdout', ' end');
    expect(log.lines.at(-1)?.text).toBe('open end');
  });

  it('append() cuts a line without an end', () => {
    const log = new RunLog();
    for (let i = 0; i < 20; i++) log.append('a', 'stdout', 'x'.repeat(1000));
    expect(log.lines.map(({ text }) => text.length)).toEqual([10_000]);
  });
});
