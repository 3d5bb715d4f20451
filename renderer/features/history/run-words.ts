import type { RunComparison, RunSummary } from '#shared/model/run.ts';

/** When a run began, by the clock, so that two runs of one minute are told apart; of another day with its date. */
export function clockText(at: number, now: number): string {
  const time = new Date(at);
  const isToday = time.toDateString() === new Date(now).toDateString();
  return isToday ? time.toLocaleTimeString() : time.toLocaleString();
}

/** What has no result, part by part: a run also fails over a step that was cancelled or never began. */
export function undoneText({
  failed,
  blocked,
  cancelled,
}: Pick<RunSummary, 'failed' | 'blocked' | 'cancelled'>): string {
  const parts = [
    [failed, 'failed'],
    [blocked, 'blocked'],
    [cancelled, 'cancelled'],
  ] as const;
  return parts.flatMap(([count, word]) => (count > 0 ? [`${count} ${word}`] : [])).join(' · ');
}

/** The two runs that are compared, with their lenses where these are not the same. */
export function comparisonTitle({ a, b }: RunComparison, now: number): string {
  const isOne = a.lens === b.lens;
  const sides = [a, b].map(({ lensName, startedAt, status }) => {
    return `${isOne ? '' : `${lensName}, `}${clockText(startedAt, now)} (${status})`;
  });
  return `${isOne ? `${a.lensName}: ` : ''}${sides.join(' → ')}`;
}
