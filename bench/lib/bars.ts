import { table } from './compare.ts';
import { cases } from './task-runner.ts';
import { apart } from './task-runners.ts';
import type { Case } from './task-runner.ts';

/** What was measured of one contender in one row: times, or megabytes. */
export interface Figures {
  readonly values: readonly number[];
  /** It was ended at the cap: it takes at least this. */
  readonly capped: boolean;
}

export type RowKind = Case | 'memory';
/** All rows so far, by number of tasks and kind. */
export type Rows = ReadonlyMap<number, ReadonlyMap<RowKind, ReadonlyMap<string, Figures>>>;

type Bar = readonly [count: number, kind: RowKind, ours: string, atMost: number, theirs: string];

const [cli, resident] = ['sunwell', 'sunwell, resident'];
const bars: readonly Bar[] = [
  [10, 'cold', cli, 1.5, 'limit with bwrap'],
  [100, 'plan', cli, 1.3, 'limit'],
  [100, 'plan', cli, 0.3, 'nx, no daemon'],
  [100, 'plan', cli, 0.3, 'moon'],
  [100, 'plan', cli, 0.3, 'lage'],
  [100, 'plan', resident, 0.3, 'turbo'],
  [100, 'cached', cli, 1.5, 'limit'],
  [100, 'cached', cli, 0.3, 'nx, no daemon'],
  [100, 'cached', cli, 0.3, 'wireit'],
  [100, 'cached', cli, 0.3, 'moon'],
  [100, 'cached', cli, 0.3, 'lage'],
  [100, 'cached', resident, 0.5, 'turbo'],
  [100, 'leaf', cli, 0.8, 'turbo'],
  [1000, 'plan', cli, 1.3, 'limit'],
  [1000, 'plan', cli, 0.4, 'nx, no daemon'],
  [1000, 'plan', cli, 0.4, 'moon'],
  [1000, 'plan', cli, 0.4, 'lage'],
  [1000, 'plan', resident, 0.5, 'turbo'],
  [1000, 'cached', cli, 1.4, 'limit'],
  [1000, 'cached', cli, 1, 'turbo'],
  [1000, 'cached', cli, 0.15, 'nx, no daemon'],
  [1000, 'cached', cli, 0.15, 'wireit'],
  [1000, 'cached', cli, 0.15, 'moon'],
  [1000, 'cached', cli, 0.15, 'lage'],
  [1000, 'leaf', cli, 0.3, 'turbo'],
  [1000, 'cold', cli, 1.5, 'limit with bwrap'],
  [1000, 'cold', cli, 1, 'turbo'],
  [1000, 'cold', cli, 1, 'nx, no daemon'],
  [1000, 'cold', cli, 1, 'wireit'],
  [1000, 'cold', cli, 1, 'lage'],
  [1000, 'memory', cli, 1.5, 'turbo'],
];

export function medianOf(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b)[values.length >> 1]!;
}

/** The goals of these numbers of tasks as a table, each reached or not; a goal that has no figures says so. */
export function barTable(rows: Rows, missing: ReadonlyMap<string, string>): string {
  return tableOf(
    bars.filter(([count]) => rows.has(count)),
    rows,
    missing,
  );
}

function tableOf(goals: readonly Bar[], rows: Rows, missing: ReadonlyMap<string, string>): string {
  const lines = goals.map(([count, kind, ours, atMost, theirs]) => {
    const work = `${count} tasks, ${kind === 'memory' ? 'memory' : cases[kind]}: ${ours}`;
    const goal = `≤ ${atMost}× ${theirs}`;
    const [own, other, least] = [ours, theirs, 'limit'].map((name) => rows.get(count)?.get(kind)?.get(name));
    if (!own?.values.length || !other?.values.length) {
      return [work, goal, '–', '–', `not measured${missing.has(theirs) ? `, ${missing.get(theirs)}` : ''}`];
    }
    const byMedian = ratioOf(own, other);
    const byMinimum = Math.min(...own.values) / Math.min(...other.values);
    const sign = other.capped ? '< ' : '';
    const cells = [byMedian, byMinimum].map((ratio) => `${sign}${ratio.toFixed(2)}×`);
    const judged = verdict([byMedian, byMinimum], atMost, other.capped);
    // Of a goal that even the limit misses, with a peer that became quicker or a start of Node that became slower.
    const limits = judged === 'missed' && ours === cli && least ? ratioOf(least, other) : 0;
    const why = limits > atMost ? `, as the limit does with ${limits.toFixed(2)}×` : '';
    return [work, goal, ...cells, `${judged}${why}`];
  });
  return table([['', 'goal', 'by median', 'by minimum', ''], ...lines]);
}

/** What was measured of the same goals without the setting that slows every start of Node. */
export function plainTable(rows: Rows): string {
  const plain: Rows = new Map(
    [...rows].map(([count, kinds]) => [
      count,
      new Map([...kinds].map(([kind, row]) => [kind, apart(row).plain])),
    ]),
  );
  const known = bars.filter(([count, kind, ours, , theirs]) =>
    [ours, theirs].every((name) => plain.get(count)?.get(kind)?.has(name)),
  );
  return tableOf(known, plain, new Map());
}

function ratioOf(one: Figures, other: Figures): number {
  return medianOf(one.values) / medianOf(other.values);
}

function verdict(ratios: readonly number[], atMost: number, capped: boolean): string {
  const reached = ratios.filter((ratio) => ratio <= atMost).length;
  if (reached === ratios.length) return 'reached';
  if (capped) return 'not known: the other was ended';
  return reached > 0 ? 'by one of the two' : 'missed';
}
