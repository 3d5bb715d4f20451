import type { SkillRun } from '#shared/model/run.ts';
import { durationText } from '#shared/quantities.ts';

export type BarTone = 'cached' | 'ran' | 'failed' | 'other';

/** Teal for what came from the cache, amber for what ran, red for what failed; grey for what did not get that far. */
export function barTone({ state, cached }: SkillRun): BarTone {
  if (state === 'failed' || state === 'judged-failed') return 'failed';
  if (cached) return 'cached';
  return state === 'ran' ? 'ran' : 'other';
}

const highest = 28;
const lowest = 6;

/** As long as it took beside the longest of them; what took no time can still be seen and clicked. */
export function barHeight(run: SkillRun, longestMs: number): number {
  if (barTone(run) === 'cached' || longestMs === 0) return lowest;
  return Math.round(lowest + (highest - lowest) * (run.durationMs / longestMs));
}

/** How it went, in words. */
export function runText(run: SkillRun): string {
  const { state, durationMs, savedMs } = run;
  switch (barTone(run)) {
    case 'cached':
      return savedMs === undefined ? 'cached' : `cached, saved ${durationText(savedMs)}`;
    case 'ran':
      return `ran, took ${durationText(durationMs)}`;
    case 'failed':
      return `${state === 'failed' ? 'failed' : 'judged not good enough'} after ${durationText(durationMs)}`;
    case 'other':
      return state;
  }
}
