import type { Plan } from '#shared/model/plan.ts';
import type { Divergence, StepRecord } from '#shared/model/run.ts';

/**
 * Where a run went otherwise than its plan said. That a failure blocks what depends on it, or a cancel ends it, is no
 * difference: a plan does not say whether steps succeed. What was undecided may turn out either way.
 */
export function divergencesOf(plan: Plan, steps: readonly StepRecord[]): Divergence[] {
  const byId = new Map(steps.map((step) => [step.id, step]));
  return plan.decisions.flatMap(({ skill, id, decision: predicted }) => {
    const step = byId.get(id);
    if (!step || step.state === 'cancelled' || step.state === 'interrupted' || step.state === 'pending')
      return [];
    if (step.blockedBy !== undefined) return [];
    const { decision: actual } = step;
    if (actual === predicted) return [];
    if (predicted === 'undecided' && actual !== 'blocked') return [];
    const sentence = `The plan said "${predicted}" for "${skill}", and the run decided "${actual}"`;
    return [{ skill, predicted, actual, sentence }];
  });
}
