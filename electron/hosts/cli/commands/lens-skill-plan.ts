import { graphDocument } from '#engine/resolve/documents.ts';
import type { AskHow } from '#engine/models/asked-model.ts';
import type { Resolution } from '#engine/resolve/resolve.ts';
import type { Plans } from '#engine/run/plans.ts';
import { findSkills } from '#shared/graph/find-skills.ts';
import type { Plan, PlanRequest, PlanStep } from '#shared/model/plan.ts';
import { StudioError } from '#shared/errors.ts';
import { ExitCode } from '../exit-code.ts';
import { resolveNamed } from '../find-lens.ts';
import type { Invocation } from '../invocation.ts';
import { planLines } from '../plan-lines.ts';
import { whyLines } from '../plan-text.ts';
import { noteProblems } from '../problem-note.ts';
import { CommandPlans } from '../run/open-plans.ts';
import { nothingLeft } from '../run/run-summary.ts';
import { howToAsk } from '../run/model-words.ts';
import { runRequest, type RunWords } from '../run/run-words.ts';

export interface SkillPlanOptions extends Pick<
  RunWords,
  'task' | 'input' | 'inputFile' | 'force' | 'cache' | 'model' | 'judgeModel' | 'manual' | 'replay'
> {
  readonly only?: readonly string[];
  readonly from?: readonly string[];
  readonly to?: readonly string[];
  readonly failed?: true;
  readonly stale?: true;
  readonly why?: string;
}

/** Prints what a run would do with every skill, and why; runs nothing. */
export async function lensSkillPlan(
  invocation: Invocation,
  named: string,
  options: SkillPlanOptions,
): Promise<ExitCode> {
  const { output } = invocation;
  const { resolution, workspace } = await resolveNamed(invocation, named);
  const request = { ...(await runRequest(invocation, resolution.skills, options)), ...selectionOf(options) };
  using opened = new CommandPlans(invocation, workspace);
  const how = howToAsk(invocation, options);
  const plan = await opened.plans.plan(resolution, request, how);
  const explained =
    options.why === undefined
      ? undefined
      : await explain(
          { plans: opened.plans, resolution, request, how },
          stepNamed(resolution, plan, options.why),
        );
  if (output.isJson) {
    output.document({
      graph: graphDocument(resolution),
      ...plan,
      ...(explained && { why: explained.differences }),
    });
  } else {
    const lines = explained ? whyLines(explained.step, explained.differences) : planLines(plan);
    output.line(nothingLeft(request.selection, plan.decisions.length) ?? lines.join('\n'));
  }
  opened.noteCache(invocation);
  noteProblems(invocation, resolution);
  return ExitCode.ok;
}

function selectionOf({ only, from, to, failed, stale }: SkillPlanOptions): Pick<PlanRequest, 'selection'> {
  const selection = {
    ...(only && { only: [...only] }),
    ...(from && { from: [...from] }),
    ...(to && { to: [...to] }),
    ...(failed && { failed }),
    ...(stale && { stale }),
  };
  return Object.keys(selection).length > 0 ? { selection } : {};
}

async function explain(
  {
    plans,
    resolution,
    request,
    how,
  }: { plans: Plans; resolution: Resolution; request: PlanRequest; how: AskHow },
  step: PlanStep,
) {
  const differences = [];
  for (const reason of step.reasons) {
    const difference = await plans.difference(resolution, { skill: step.id, reason, request, how });
    differences.push({ reason, difference });
  }
  return { step, differences };
}

function stepNamed({ graph }: Resolution, { decisions }: Plan, name: string): PlanStep {
  const [index] = findSkills(graph, [name]);
  const step = decisions.find(({ id }) => id === graph.ids[index!]);
  if (step) return step;
  throw new StudioError(
    'graph.unknown-skill',
    `Cannot say why about "${name}": it is not among the chosen skills`,
    {
      name,
    },
  );
}
