import type { SkillRun } from '#shared/model/run.ts';
import type { WorkspaceRuns } from './workspace-runs.ts';

/** Runs of other lenses, or without the skill, are passed over; beyond these nobody remembers them. */
const mostLookedAt = 100;

/** How one skill of a lens went in its last runs, newest first. */
export async function runsOfSkill(
  runs: Pick<WorkspaceRuns, 'list' | 'show'>,
  { file, skill, limit }: { file: string; skill: string; limit: number },
): Promise<SkillRun[]> {
  const found: SkillRun[] = [];
  for (const summary of await runs.list({ limit: mostLookedAt })) {
    if (summary.lens !== file) continue;
    const { runId, startedAt, steps } = await runs.show(summary.runId);
    const step = steps.find((other) => other.skill === skill || other.id === skill);
    if (!step || step.state === 'pending') continue;
    const { state, cached, durationMs, savedMs } = step;
    found.push({ runId, startedAt, state, cached, durationMs, ...(savedMs !== undefined && { savedMs }) });
    if (found.length === limit) break;
  }
  return found;
}
