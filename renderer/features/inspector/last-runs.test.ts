import { expect, test } from 'vitest';
import type { RunId, SkillRun } from '#shared/model/run.ts';
import { barHeight, barTone, runText } from './last-runs.ts';

const run = (part: Partial<SkillRun>): SkillRun => ({
  ...{ runId: 'r' as RunId, startedAt: 0, state: 'ran', cached: false, durationMs: 1000 },
  ...part,
});

test.each([
  [run({}), 'ran', 17, 'ran, took 1.0 s'],
  [run({ durationMs: 2000 }), 'ran', 28, 'ran, took 2.0 s'],
  [run({ state: 'cached', cached: true, durationMs: 1, savedMs: 900 }), 'cached', 6, 'cached, saved 900 ms'],
  [run({ state: 'failed', durationMs: 0 }), 'failed', 6, 'failed after 0 ms'],
  [run({ state: 'judged-failed', cached: true }), 'failed', 17, 'judged not good enough after 1.0 s'],
  [run({ state: 'blocked', durationMs: 0 }), 'other', 6, 'blocked'],
])('a bar of %j is told by tone, height and words', (one, tone, height, text) => {
  expect([barTone(one), barHeight(one, 2000), runText(one)]).toEqual([tone, height, text]);
});
