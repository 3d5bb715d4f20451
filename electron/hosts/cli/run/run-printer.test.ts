import { expect, test } from 'vitest';
import { RunId } from '#shared/model/run.ts';
import type { RunEvent } from '#shared/model/event.ts';
import { inert, Output, type Terminal } from '../terminal.ts';
import { RunPrinter } from './run-printer.ts';

type Told<E> = E extends RunEvent ? Omit<E, 'seq' | 'at' | 'run_id'> : never;

function told(
  events: readonly Told<RunEvent>[],
  { isTTY = false, withPasses = false, withLogs = true } = {},
): string {
  let text = '';
  const stream = { write: (part: string) => (text += part), isTTY };
  const terminal = { stdout: stream, stderr: stream, machine: { platform: 'linux', environment: {} } };
  const output = new Output(terminal as unknown as Terminal, { isJson: false, mayColor: false });
  const printer = new RunPrinter({ output, stream, withLogs, withPasses });
  events.forEach((event, seq) => printer.take({ ...event, seq, at: 0, run_id: RunId.parse('run-00000001') }));
  printer.end();
  return text;
}

const start = (skill_name: string): Told<RunEvent> => ({
  type: 'skill_execute_start',
  skill_name,
  wave_index: 0,
  requires: [],
  context_keys_available: [],
  reasons: [{ id: 'no-entry', subject: '', sentence: 'never ran here' }],
});
const said = (skill_name: string, chunk: string): Told<RunEvent> => ({
  type: 'skill_output',
  skill_name,
  script_name: 'a.sh',
  stream: 'stderr',
  chunk,
});
const done = (skill_name: string, more: object = {}): Told<RunEvent> => ({
  type: 'skill_execute_complete',
  skill_name,
  duration_ms: 1500,
  produces: [],
  cached: false,
  success: true,
  state: 'ran',
  ...more,
});

test('a run is told in one line for each step, without a status line in a file', () => {
  const error = { phase: 'execute' as const, skillName: 'b', message: 'It broke', recoverable: false };
  expect(
    told([
      start('a'),
      done('a'),
      done('c', { cached: true, state: 'cached' }),
      start('b'),
      done('b', { success: false, state: 'failed', error }),
      { type: 'skill_blocked', skill_name: 'd', blocked_by: 'b', message: 'waits for "b", which failed' },
      { type: 'skill_blocked', skill_name: 'e', message: error.message },
      done('e', { success: false, state: 'blocked', error }),
    ]),
  ).toBe(
    '▶ a                    never ran here\n' +
      '✓ a                    1.5 s\n' +
      '↺ c                    cached\n' +
      '▶ b                    never ran here\n' +
      '✕ b                    It broke\n' +
      '⛔ d                    waits for "b", which failed\n' +
      '⛔ e                    It broke\n',
  );
});

test('what two scripts say at once keeps its lines and its skills apart', () => {
  expect(told([said('a', 'one\ntw'), said('b', 'x'), said('a', 'o\n'), said('a', '\u001b[2Jred\n')])).toBe(
    '  a | one\n  a | tw\n  b | x\n  a | o\n  a | red\n',
  );
});

test('a script that failed has its last ten lines told where its output was not, and what to do about it', () => {
  const stderr = Array.from({ length: 12 }, (_, i) => `\u001b[31mline ${i}\u001b[0m\n`).join('');
  const error = {
    phase: 'execute' as const,
    skillName: 'b',
    message: 'It broke',
    recoverable: false,
    stderr,
    waysOut: [{ id: 'read-only' as const, subject: '', sentence: 'Write \u001b[31melsewhere' }],
  };
  const failed = done('b', { success: false, state: 'failed', error });
  const lines = Array.from({ length: 10 }, (_, i) => `  b | line ${i + 2}\n`);
  const wayOut = `  → ${inert('Write \u001b[31melsewhere')}\n`;
  expect([told([failed]), told([failed], { withLogs: false })]).toEqual([
    `✕ b                    It broke\n${wayOut}`,
    `✕ b                    It broke\n${lines.join('')}${wayOut}`,
  ]);
});

test('a terminal gets one line that says where the run stands, and it is gone at the end', () => {
  const text = told([start('a'), start('b')], { isTTY: true });
  expect(text).toContain('\r\u001b[2K0 of 0 skills · a, b');
  expect(text.endsWith('\r\u001b[2K')).toBe(true);
});

test('verdicts are told with what they rest on, and attempts with what they were told', () => {
  const verdict = { kind: 'heuristic' as const, severity: 'error' as const, message: 'It rambles' };
  const evidence = [{ quote: 'so to say', file: 'a.md', line: 3 }];
  expect(
    told([
      {
        type: 'skill_judged',
        skill_name: 'a',
        passed: false,
        cached: false,
        verdicts: [
          { ...verdict, judge: 'clear', outcome: 'fail', confidence: 0.9, evidence },
          { ...verdict, judge: 'short', outcome: 'pass', confidence: 1 },
          { ...verdict, judge: 'novice', outcome: 'not-judged', message: 'Needs a model' },
        ],
      },
      {
        type: 'skill_refined',
        skill_name: 'a',
        attempt: 2,
        message: 'Failed: clear: It rambles\n  "so to say"',
      },
      {
        type: 'skill_refined',
        skill_name: 'a',
        attempt: 2,
        message: 'no attempts are left',
        stop: 'max-attempts',
      },
    ]),
  ).toBe(
    '⚖ a                    clear: fail 0.90: It rambles\n' +
      '                       a.md:3 "so to say"\n' +
      '⚖ a                    novice: not judged: Needs a model\n' +
      '↻ a                    attempt 2\n' +
      '↻ a                    no further attempt: no attempts are left\n',
  );
});

test('a result that passes is told where somebody asked for judges, with what speaks against it in part', () => {
  const verdict = { kind: 'deterministic' as const, message: 'Said' };
  const judged: Told<RunEvent> = {
    ...{ type: 'skill_judged', skill_name: 'a', passed: true, cached: false },
    rule: { minConfidence: 0.5, personaAgreement: 0.5, required: [] },
    verdicts: [
      { ...verdict, judge: 'clear', severity: 'error', outcome: 'pass', confidence: 0.9 },
      { ...verdict, judge: 'short', severity: 'error', outcome: 'pass', confidence: 1 },
      { ...verdict, judge: 'funny', severity: 'warning', outcome: 'fail', confidence: 1 },
    ],
  };
  const warning = '⚖ a                    funny: fail 1.00: Said\n';
  expect([told([judged]), told([judged], { withPasses: true })]).toEqual([
    warning,
    `⚖ a                    passed: clear pass 0.90, short pass 1.00\n${warning}`,
  ]);
});
