import { appendFileSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunSummary } from '#shared/model/run.ts';
import { noteUses } from '../../cache/kept-standing.ts';
import { ownMark } from '../../store/process-mark.ts';
import { newRunId } from '../run-id.ts';
import { historyIndexName, historyLimits, journalName } from '../run-places.ts';
import { workspaceKey } from '../workspace-key.ts';
import type { FoundPlan } from './find-kept-plan.ts';
import { savedBy } from './kept-plan.ts';

/**
 * Runs a plan that was found: nothing is started, every result counts as used, and the run is in the history like any
 * other. Undefined where that cannot be written or the history has to be tidied: then the run is to be made.
 */
export function repeatRun(
  { plan, text }: FoundPlan,
  { home, root, startedAt }: { readonly home: string; readonly root: string; readonly startedAt: number },
): RunSummary | undefined {
  const folder = join(home, 'runs', workspaceKey(root));
  const { lens, lensName, steps } = plan;
  const savedMs = savedBy(steps);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    // The oldest runs have to go, which is work for a run that takes its time.
    if (readdirSync(folder).length > historyLimits.runs) return undefined;
    const keys = steps.map(([, , , , key]) => key);
    if (!noteUses(home, keys, startedAt, savedMs)) return undefined;
    const summary: RunSummary = {
      ...{ runId: newRunId(startedAt), lens, lensName, status: 'succeeded', startedAt },
      ...{ durationMs: Date.now() - startedAt, ran: 0, cached: steps.length, failed: 0, blocked: 0 },
      ...{ cancelled: 0, savedMs, artifacts: 0, diverged: false },
    };
    const bytes = writeJournal(join(folder, summary.runId), summary, text);
    appendFileSync(join(folder, historyIndexName), `${JSON.stringify({ summary, bytes })}\n`, {
      mode: 0o600,
    });
    return summary;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).syscall === undefined) throw error;
    return undefined; // A disk that refuses: the usual run says what could not be kept.
  }
}

/** In one piece, and not flushed: with the power it would lose nothing but its line in the history. */
function writeJournal(folder: string, summary: RunSummary, plan: string): number {
  const { runId, lens, lensName, startedAt, status, durationMs } = summary;
  const request = { inputs: {}, params: {} };
  const header = { runId, lens, lensName, startedAt, request, mark: ownMark() };
  const end = { status, durationMs, predictedVsActual: [], warnings: [] };
  const lines = [JSON.stringify({ run: header }), `{"repeated":${plan}}`, JSON.stringify({ end })];
  const bytes = Buffer.from(`${lines.join('\n')}\n`);
  mkdirSync(folder, { mode: 0o700 });
  writeFileSync(join(folder, journalName), bytes, { mode: 0o600 });
  return bytes.length;
}
