import { findSkills } from '#shared/graph/find-skills.ts';
import type { SkillGraph } from '#shared/graph/skill-graph.ts';
import type { Selection } from '#shared/model/plan.ts';
import type { RunRecord, RunRequest } from '#shared/model/run.ts';
import { isSuccess } from './step-record.ts';

/** What is asked of a run that carries on another one: its steps, and nothing again that has come to a result there. */
export function carriedOn({ request, steps }: RunRecord, graph: SkillGraph): RunRequest {
  const { selection, force, ...others } = request;
  const forced = forcedAgain(force, steps, graph);
  return {
    ...others,
    ...(selection && { selection: selectionAgain(selection, steps, graph) }),
    ...(forced.length > 0 && { force: forced }),
  };
}

/** By now other skills have failed or are stale: what the choice leaves out today would be taken for done. */
function selectionAgain(selection: Selection, steps: RunRecord['steps'], graph: SkillGraph): Selection {
  if (!selection.failed && !selection.stale) return selection;
  const known = steps.filter(({ id }) => graph.indexOf.has(id)).map(({ id }) => id);
  // Where none of them is there any more, to do nothing would look like success: their names are refused.
  const only = known.length > 0 ? known : steps.map(({ skill }) => skill);
  return { only, ...(selection.alone && { alone: true }) };
}

function forcedAgain(force: RunRequest['force'], steps: RunRecord['steps'], graph: SkillGraph): string[] {
  if (force === undefined || force === false) return [];
  const finished = new Set(steps.filter(isSuccess).map(({ id }) => id));
  const meant = force === true ? graph.ids : findSkills(graph, force).map((index) => graph.ids[index]!);
  return meant.filter((id) => !finished.has(id));
}
