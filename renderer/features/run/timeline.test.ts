import { expect, test } from 'vitest';
import { FakeRuns, stepRecord } from '#renderer/state/testing/fake-runs.ts';
import type { LiveStep } from '#renderer/state/run.svelte.ts';
import { ticksOf, timelineOf } from './timeline.ts';

test('timelineOf() places steps, finds the chain that decided, and counts gaps and savings', () => {
  const record = {
    ...new FakeRuns().record,
    startedAt: 1000,
    durationMs: 100,
    steps: ['a', 'b', 'c', 'd', 'waits'].map((skill) => stepRecord(skill)),
  };
  const steps = new Map<string, LiveStep>([
    ['a', { state: 'ran', startedAt: 1000, durationMs: 20 }],
    ['b', { state: 'cached', startedAt: 1000, durationMs: 0, savedMs: 50 }],
    ['c', { state: 'ran', startedAt: 1030, durationMs: 39.8 }],
    ['d', { state: 'running', startedAt: 1070 }],
    ['waits', { state: 'pending' }],
  ]);
  const dependsOn = new Map([
    ['c', ['a', 'b']],
    ['d', ['c']],
  ]);
  const timeline = timelineOf(record, steps, dependsOn, 1100);
  expect(
    timeline.bars.map(({ skill, start, share, isCritical }) => [skill, start, share, isCritical]),
  ).toEqual([
    ['a', 0, 0.2, true],
    ['b', 0, 0, false],
    ['c', 0.3, expect.closeTo(0.398) as number, true],
    ['d', 0.7, 0.3, true],
  ]);
  const { totalMs, criticalMs, savedMs, idleMs } = timeline;
  expect({ totalMs, criticalMs, savedMs, idleMs }).toEqual({
    totalMs: 100,
    criticalMs: expect.closeTo(89.8) as number,
    savedMs: 50,
    idleMs: 10,
  });
});

test('ticksOf() shares an axis out in round times, the last away from its end', () => {
  const ticks = [4, 100, 1505, 61_000].map((axis) => ticksOf(axis).map(({ ms }) => ms));
  expect(ticks).toEqual([
    [0, 1, 2, 3],
    [0, 20, 40, 60, 80],
    [0, 500, 1000],
    [0, 20_000, 40_000],
  ]);
});
