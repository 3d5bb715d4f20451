import { spentText } from '#shared/cost-text.ts';
import type { Selection } from '#shared/model/plan.ts';
import type { RunRecord, StepRecord } from '#shared/model/run.ts';
import { countText, durationText } from '#shared/quantities.ts';

const shownStates = [
  ...(['ran', 'cached', 'failed', 'judged-failed', 'blocked', 'cancelled', 'interrupted'] as const),
  // Of a run that still goes on in another process.
  ...(['running', 'pending'] as const),
];

/** `Succeeded: 3 ran, 5 cached, saved 12.1 s, took 2.4 s. Run 0mwi…`. */
export function summary(record: RunRecord): string {
  const { steps } = record;
  const counts = shownStates.map(
    (state) => [state, steps.filter((step) => step.state === state).length] as const,
  );
  const savedMs = steps.reduce((sum, step) => sum + (step.savedMs ?? 0), 0);
  return summaryLine({ ...record, counts, savedMs, spent: spentText(steps) });
}

/** The same of a run whose steps were counted. */
export function summaryLine(run: {
  readonly status: RunRecord['status'];
  readonly counts: readonly (readonly [state: StepRecord['state'], count: number])[];
  readonly savedMs: number;
  readonly spent?: string | undefined;
  readonly durationMs: number;
  readonly runId: string;
}): string {
  const { status, savedMs, spent, durationMs, runId } = run;
  const counted = run.counts.filter(([, count]) => count > 0).map(([state, count]) => `${count} ${state}`);
  const parts = [
    ...(counted.length > 0 ? counted : [`${countText(0, 'skill')} chosen`]),
    ...(savedMs > 0 ? [`saved ${durationText(savedMs)}`] : []),
    ...(spent === undefined ? [] : [spent]),
    `took ${durationText(durationMs)}`,
  ];
  return `${status.charAt(0).toUpperCase()}${status.slice(1)}: ${parts.join(', ')}. Run ${runId}`;
}

/** What to say of a choice in place of a count of nothing; undefined where something is chosen, or more was asked than that. */
export function nothingLeft(selection: Selection | undefined, chosen: number): string | undefined {
  const { failed, ...others } = selection ?? {};
  if (chosen > 0 || !failed || Object.keys(others).length > 0) return undefined;
  return 'Nothing that failed is left to run';
}
