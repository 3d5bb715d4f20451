import { expect, test } from 'vitest';
import { runSummary } from '#renderer/state/testing/fake-runs.ts';
import { clockText, comparisonTitle, undoneText } from './run-words.ts';

const now = new Date(2026, 4, 2, 12, 0, 0).getTime();

test('clockText() tells two runs of one minute apart, and names another day', () => {
  const texts = [now, now - 1000, now - 86_400_000].map((at) => clockText(at, now));
  expect(new Set(texts).size).toBe(3);
  expect(texts[2]).toContain('2026');
});

test('undoneText() names every part', () => {
  const none = { failed: 0, blocked: 0, cancelled: 0 };
  expect([none, { ...none, cancelled: 1 }, { failed: 1, blocked: 3, cancelled: 0 }].map(undoneText)).toEqual([
    ...['', '1 cancelled', '1 failed · 3 blocked'],
  ]);
});

test('comparisonTitle() names the lens once, or both', () => {
  const a = runSummary('run-00000001', { startedAt: now - 1000, status: 'failed' });
  const b = runSummary('run-00000002', { startedAt: now });
  const other = { ...b, lens: 'b.lens', lensName: 'B' };
  const [first, second] = [clockText(now - 1000, now), clockText(now, now)];
  expect([b, other].map((later) => comparisonTitle({ a, b: later, steps: [] }, now))).toEqual([
    `A: ${first} (failed) → ${second} (succeeded)`,
    `A, ${first} (failed) → B, ${second} (succeeded)`,
  ]);
});
