import { availableParallelism } from 'node:os';
import { criticalPath } from '#shared/graph/critical-path.ts';
import type { Plan, PlanStep } from '#shared/model/plan.ts';
import type { Resolution } from '../resolve/resolve.ts';
import type { Flow } from './flow.ts';
import type { StepDecision } from './step-decision.ts';

/** Puts decisions into one document, with what they cost and save. */
export function planDocument(parts: {
  readonly resolution: Resolution;
  readonly flow: Flow;
  /** In the order of the plan. */
  readonly steps: ReadonlyMap<number, StepDecision>;
}): Plan {
  const { resolution, flow, steps } = parts;
  const { source, lens, contentHash, graph } = resolution;
  const decisions = [...steps].map(([index, step]) => planStep(resolution, flow, index, step));
  const labelsOf = (...wanted: PlanStep['decision'][]): string[] =>
    decisions.filter(({ decision }) => wanted.includes(decision)).map(({ skill }) => skill);
  const toSkip = labelsOf('skip', 'rejudge');
  return {
    lens: source.file,
    lensName: lens?.metadata.name ?? source.file,
    contentHash,
    decisions,
    toExecute: labelsOf('run', 'undecided'),
    toSkip,
    skipPercentage: decisions.length === 0 ? 100 : (toSkip.length / decisions.length) * 100,
    estimatedMs: estimateOf(graph, steps),
    savedMs: decisions.reduce((sum, { savedMs = 0 }) => sum + savedMs, 0),
  };
}

function planStep({ graph }: Resolution, flow: Flow, index: number, step: StepDecision): PlanStep {
  const { decision, reasons, key, estimatedMs, savedMs, from } = step;
  return {
    skill: flow.labels[index]!,
    id: graph.ids[index]!,
    wave: flow.waveOf[index]!,
    decision,
    reasons: [...reasons],
    ...(key !== undefined && { cacheKey: key }),
    ...(estimatedMs !== undefined && { estimatedMs }),
    ...(savedMs !== undefined && { savedMs }),
    ...(from && { from }),
  };
}

/** The longest chain, or all the work shared out over the processors, whichever takes longer. */
function estimateOf(graph: Resolution['graph'], steps: ReadonlyMap<number, StepDecision>): number {
  const durationsMs = new Float64Array(graph.size);
  for (const [index, { estimatedMs = 0 }] of steps) durationsMs[index] = estimatedMs;
  const total = durationsMs.reduce((sum, ms) => sum + ms, 0);
  return Math.max(criticalPath(graph, durationsMs).durationMs, total / availableParallelism());
}
