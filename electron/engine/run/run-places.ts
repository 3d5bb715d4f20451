/** The file of a run's journal in its folder. */
export const journalName = 'journal.jsonl';

/** The index of all runs of a workspace, beside their folders. */
export const historyIndexName = 'history.jsonl';

/** How much is kept of one workspace. */
export const historyLimits = { runs: 500, bytes: 1024 ** 3 };
