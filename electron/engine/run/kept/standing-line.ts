import type { Plan, PlanStep } from '#shared/model/plan.ts';
import { steadyMs } from '../../store/steady-clock.ts';
import type { NewRunEvent } from '../run-stream.ts';
import type { WaveView } from '../wave-view.ts';
import { keptDecision, type KeptStep } from './kept-plan.ts';

/** A plan in which the decisions about kept steps are their numbers. */
export interface PlanAround extends Omit<Plan, 'decisions' | 'toSkip'> {
  readonly decisions: readonly (PlanStep | number)[];
}

/** The plan of a run and what it took from an earlier one before anything else, in one line of its journal. */
export interface StandingLine {
  /** When that was. */
  readonly at: number;
  readonly concurrency: number;
  readonly steps: readonly KeptStep[];
  readonly plan: PlanAround;
}

/** Leaves out of a plan what follows from the kept steps; `stepOf` gives the one behind a decision, if it is one. */
export function aroundKept(
  { toSkip: _toSkip, ...plan }: Plan,
  stepOf: (decision: PlanStep, place: number) => KeptStep | undefined,
): Pick<StandingLine, 'plan' | 'steps'> {
  const steps: KeptStep[] = [];
  const decisions = plan.decisions.map((decision, i) => {
    const step = stepOf(decision, i);
    return step ? steps.push(step) - 1 : decision;
  });
  return { plan: { ...plan, decisions }, steps };
}

/** The whole plan again, as it read when the run started. */
export function wholePlan({ plan, steps }: StandingLine, startedAt: number): Plan {
  const now = new Date(startedAt);
  const decisions = plan.decisions.map((decision) =>
    typeof decision === 'number' ? keptDecision(steps[decision]!, now) : decision,
  );
  const isSkipped = ({ decision }: PlanStep): boolean => decision === 'skip' || decision === 'rejudge';
  return { ...plan, decisions, toSkip: decisions.filter(isSkipped).map(({ skill }) => skill) };
}

/** Tells that kept steps count, in the order of the plan and all at one time; a run and its reader must number the same events. */
export function tellKept(
  steps: readonly KeptStep[],
  waves: WaveView,
  emit: (event: NewRunEvent) => void,
): void {
  const at = steadyMs();
  for (const [skill, , wave, produces, cacheKey, , , , savedMs] of steps) {
    waves.start({ wave }, at).forEach(emit);
    keptStepEvents(skill, produces, cacheKey, savedMs).forEach(emit);
    waves.end({ wave, state: 'cached' }, at).forEach(emit);
  }
}

/** What a step out of the cache tells. */
export function keptStepEvents(
  skill: string,
  produces: readonly string[],
  cacheKey: string,
  savedMs: number,
): [NewRunEvent, NewRunEvent] {
  return [
    { type: 'skill_cache_hit', skill_name: skill, cache_key: cacheKey, saved_ms: savedMs },
    {
      type: 'skill_execute_complete',
      skill_name: skill,
      duration_ms: 0,
      produces: [...produces],
      ...{ cached: true, success: true, state: 'cached' },
    },
  ];
}
