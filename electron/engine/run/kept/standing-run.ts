import type { Plan } from '#shared/model/plan.ts';
import type { StepRecord } from '#shared/model/run.ts';
import type { ActionCache } from '../../cache/action-cache.ts';
import type { CachedResult } from '../../cache/cached-result.ts';
import type { Resolution } from '../../resolve/resolve.ts';
import type { StepOutcome } from '../step-parts.ts';
import { keptRecord, type KeptStep } from './kept-plan.ts';
import { aroundKept, type StandingLine } from './standing-line.ts';
import { keysOf, type StandingSteps } from './standing-steps.ts';

/** What of a run is over with its start. */
export interface StandingRun {
  readonly line: StandingLine;
  /** By index. */
  readonly outcomes: ReadonlyMap<number, StepOutcome>;
}

/** Takes the results that stand as they are; `items` are the skills of the plan, by index, in its order. */
export function takeStanding(
  parts: {
    readonly standing: StandingSteps;
    readonly plan: Plan;
    readonly resolution: Resolution;
    readonly concurrency: number;
    readonly cache: Pick<ActionCache, 'find' | 'noteHit'>;
  },
  items: readonly number[],
): StandingRun {
  const { standing, plan, resolution, concurrency, cache } = parts;
  const at = Date.now();
  const outcomes = new Map<number, StepOutcome>();
  const kept = aroundKept(plan, ({ skill, id, wave }, i) => {
    const index = items[i]!;
    const found = standing.get(index);
    if (!found) return undefined;
    const { key, resultDigest, origin, hit } = found;
    const { runId, at: madeAt, durationMs } = origin;
    const produces = keysOf(resolution.skills[index]!);
    const step: KeptStep = [skill, id, wave, produces, key, resultDigest, runId, madeAt, durationMs];
    cache.noteHit(found);
    outcomes.set(index, {
      step: withKeptResult(keptRecord(step, at), () => cache.find(key)?.result),
      ...(hit && { known: { resultDigest, outputs: hit.outputDigests }, outputs: hit.result.outputs }),
    });
    return step;
  });
  return { line: { at, concurrency, ...kept }, outcomes };
}

/** A step with what it delivered, which is read only where somebody looks at it. */
function withKeptResult(step: StepRecord, find: () => CachedResult | undefined): StepRecord {
  return Object.defineProperties(step, {
    content: { enumerable: true, get: () => find()?.content },
    outputs: { enumerable: true, get: () => find()?.outputs },
  });
}
