import { join } from 'node:path';
import type { SignOfLife } from '../store/process-mark.ts';

/** The file of a run's journal in its folder. */
export const journalName = 'journal.jsonl';

/** Whether a run of another machine or container goes on is told by its journal, which a step alone can leave for long. */
export function signOfRun(folder: string): SignOfLife {
  return { path: join(folder, journalName), goodForMs: 3_600_000 };
}

/** The index of all runs of a workspace, beside their folders. */
export const historyIndexName = 'history.jsonl';

/** How much is kept of one workspace. */
export const historyLimits = { runs: 500, bytes: 1024 ** 3 };

/** Beside the runs of a workspace, and only while one of them is written into it: what that writing is about to change. */
export const applyingName = 'applying';
