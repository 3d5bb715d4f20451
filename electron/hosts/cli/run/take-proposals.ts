import type { WorkspaceRuns } from '#engine/run/workspace-runs.ts';
import { StudioError } from '#shared/errors.ts';
import type { ReviewFile, RunRecord } from '#shared/model/run.ts';
import type { StepWords } from './run-words.ts';

/** What became of the files that a run proposes. */
export interface TakenProposals {
  readonly review: readonly ReviewFile[];
  /** The paths of those that were written. */
  readonly applied: readonly string[];
  /** Why they could not be shown or written as asked, and the way out; empty where they could. */
  readonly problems: readonly string[];
}

/**
 * Looks at the files that a run proposes, and writes them where that is asked. What keeps them from it is returned: thrown, it
 * would take the content, the reports and the id of a run along that has done its work.
 */
export async function takeProposals(
  runs: WorkspaceRuns,
  record: RunRecord,
  words: Pick<StepWords, 'write'>,
): Promise<TakenProposals> {
  if (record.steps.every(({ artifacts }) => artifacts.length === 0))
    return { review: [], applied: [], problems: [] };
  let review: readonly ReviewFile[] = [];
  try {
    review = await runs.review(record.runId);
    if (!words.write) return { review, applied: [], problems: unclearOf(review) };
    const unclear = unclearOf(review);
    if (unclear.length > 0) return { review, applied: [], problems: refused(record, unclear) };
    const open = review.filter(({ operation }) => operation !== 'none').map(({ path }) => ({ path }));
    // Whoever ends a run wants nothing more of it, least of all files changed or deleted.
    if (isEnded(record) && open.length > 0)
      return {
        review,
        applied: [],
        problems: [`Nothing was written: the run was ${record.status}`, wayOut(record)],
      };
    if (open.length > 0) await runs.apply(record.runId, open);
    return { review, applied: open.map(({ path }) => path), problems: [] };
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return {
      review,
      applied: [],
      problems: [error.message, ...(words.write ? [wayOut(record, isInTheWay(error))] : [])],
    };
  }
}

function isEnded({ status }: RunRecord): boolean {
  return status === 'cancelled' || status === 'interrupted';
}

function unclearOf(review: readonly ReviewFile[]): string[] {
  return review.flatMap(({ problem }) => (problem === undefined ? [] : [problem]));
}

function refused(record: RunRecord, unclear: readonly string[]): string[] {
  return [...unclear.map((problem) => `${problem}. Nothing was written`), wayOut(record, true)];
}

/** Whether another run would end the same, unlike after a conflict, for it begins with the file that is there. */
function isInTheWay({ code }: StudioError): boolean {
  return code === 'artifact.unsafe' || code === 'artifact.unwritable';
}

/** A run that succeeded cannot be resumed; another one takes from the cache what still holds. */
function wayOut({ status, runId }: RunRecord, mustCorrect = false): string {
  const [run, carry] = mustCorrect
    ? ['Correct that, then run', 'Correct that, then carry']
    : ['Run', 'Carry'];
  return status === 'succeeded'
    ? `${run} it again with --write: what still holds comes from the cache`
    : `${carry} it on with "sunwell run resume ${runId} --write"`;
}
