import type { Digest } from '#shared/model/fingerprint.ts';
import type { Plan, PlanStep } from '#shared/model/plan.ts';
import type { StepRecord } from '#shared/model/run.ts';
import { cachedReason } from '../../plan/reasons.ts';

/** A skill whose result is kept, with where that comes from. */
export type KeptStep = readonly [
  skill: string,
  id: string,
  wave: number,
  produces: readonly string[],
  cacheKey: Digest,
  resultDigest: Digest,
  runId: string,
  at: number,
  durationMs: number,
];

/** A plan in which every skill is skipped and nobody judges, without what follows from that. */
export interface KeptPlan {
  readonly lens: string;
  readonly lensName: string;
  readonly contentHash: string;
  /** In the order of the plan. */
  readonly steps: readonly KeptStep[];
}

/** The whole plan, as it reads at a later time. */
export function planOf({ steps, ...plan }: KeptPlan, now: Date): Plan {
  return {
    ...plan,
    decisions: steps.map((step) => keptDecision(step, now)),
    toExecute: [],
    toSkip: steps.map(([skill]) => skill),
    skipPercentage: 100,
    estimatedMs: 0,
    savedMs: savedBy(steps),
  };
}

/** What a plan says about a kept step. */
export function keptDecision(
  [skill, id, wave, , cacheKey, , runId, at, durationMs]: KeptStep,
  now: Date,
): PlanStep {
  const from = { runId, at, durationMs };
  const reasons = [cachedReason(from, now)];
  return { skill, id, wave, decision: 'skip', reasons, cacheKey, savedMs: durationMs, from };
}

/** How a kept step ends in a run that takes its result. */
export function keptRecord(
  [skill, id, wave, , cacheKey, resultDigest, , , savedMs]: KeptStep,
  startedAt: number,
): StepRecord {
  return {
    ...{ skill, id, wave, decision: 'skip', state: 'cached', cached: true, startedAt, durationMs: 0 },
    ...{ savedMs, cacheKey, resultDigest, artifacts: [], verdicts: [], attempts: 0 },
  };
}

/** What all the results took together. */
export function savedBy(steps: readonly KeptStep[]): number {
  return steps.reduce((sum, step) => sum + step[8], 0);
}
