import type { PlanStep } from '#shared/model/plan.ts';
import type { RunRecord, RunSummary, StepRecord } from '#shared/model/run.ts';

/** A step before its turn came. */
export function pendingStep({ skill, id, wave, decision }: PlanStep): StepRecord {
  return {
    skill,
    id,
    wave,
    decision,
    state: 'pending',
    cached: false,
    durationMs: 0,
    artifacts: [],
    verdicts: [],
    attempts: 0,
  };
}

/** Whether a step came to a result that counts. */
export function isSuccess({ state }: StepRecord): boolean {
  return state === 'ran' || state === 'cached';
}

/** A run as one line of the history. */
export function summaryOf(record: RunRecord): RunSummary {
  const { runId, lens, lensName, status, startedAt, durationMs, steps } = record;
  const count = (isMeant: (step: StepRecord) => boolean): number => steps.filter(isMeant).length;
  return {
    runId,
    lens,
    lensName,
    status,
    startedAt,
    durationMs,
    ran: count(({ state, cached }) => state === 'ran' || (state === 'judged-failed' && !cached)),
    cached: count(({ cached }) => cached),
    failed: count(({ state }) => state === 'failed' || state === 'judged-failed'),
    blocked: count(({ state }) => state === 'blocked'),
    cancelled: count(({ state }) => state === 'cancelled'),
    savedMs: steps.reduce((sum, { savedMs = 0 }) => sum + savedMs, 0),
    artifacts: steps.reduce((sum, { artifacts }) => sum + artifacts.length, 0),
    diverged: record.predictedVsActual.length > 0,
  };
}
