import { StudioError } from '#shared/errors.ts';
import type { RunId, RunRecord, RunSummary } from '#shared/model/run.ts';
import type { LastStep } from '../plan/planner-options.ts';
import type { ListOptions } from './run-history.ts';
import { isSuccess } from './step-record.ts';

/** Where runs are looked up. */
export interface KnownRuns {
  list(options: ListOptions): Promise<readonly RunSummary[]>;
  record(run: RunId): Promise<RunRecord>;
}

/** A skill that was in none of so many runs counts as one that was in none. */
const mostLookedAt = 50;

/** How these skills ended the last time that each was in a run of the lens, by id; what goes on has not ended. */
export async function lastSteps(
  runs: KnownRuns,
  lens: string,
  skills: readonly string[],
): Promise<ReadonlyMap<string, LastStep>> {
  const found = new Map<string, LastStep>();
  const open = new Set(skills);
  for (const { runId } of await runs.list({ limit: mostLookedAt, lens })) {
    const record = await runs.record(runId).catch(orRemoved);
    if (!record) continue;
    for (const step of record.steps) {
      if (step.state === 'pending' || step.state === 'running' || !open.delete(step.id)) continue;
      found.set(step.id, { isFinished: isSuccess(step), at: record.startedAt });
    }
    if (open.size === 0) break;
  }
  return found;
}

/** The oldest runs are removed while others look. */
function orRemoved(error: unknown): undefined {
  if (!(error instanceof StudioError && error.code === 'run.unknown')) throw error;
}
