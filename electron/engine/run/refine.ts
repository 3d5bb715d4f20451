import type { Overall } from '#shared/judgment/overall.ts';
import { stopWords } from '#shared/judgment/verdict-words.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import type { ModelCost } from '#shared/model/models.ts';
import type { AttemptRecord, Refinement, RefinementStop } from '#shared/model/run.ts';
import type { Verdict } from '#shared/model/verdict.ts';
import { feedbackFrom } from './refine-feedback.ts';

/** What an attempt made. */
export interface Attempted {
  readonly content: string;
  readonly resultDigest: Digest;
  readonly durationMs: number;
  readonly cost?: ModelCost | undefined;
}

/** What the judges say about one attempt. */
export interface AttemptJudged {
  readonly verdicts: readonly Verdict[];
  readonly overall: Overall;
}

/** A result, or why there is none. */
export type AttemptOutcome<Result, Failure> =
  | { readonly result: Result }
  | { readonly failure: Failure; readonly stop: Extract<RefinementStop, 'budget' | 'cancelled' | 'failed'> };

export interface RefineOptions<Result extends Attempted, Judged extends AttemptJudged, Failure> {
  /** Makes the n-th attempt, from 1; every one but the first is told what was wrong with the one before. */
  readonly attempt: (feedback: string | undefined, n: number) => Promise<AttemptOutcome<Result, Failure>>;
  readonly judge: (result: Result, n: number) => Promise<Judged>;
  /** How often a result that did not pass is refined; undefined for what cannot be refined at all. */
  readonly limit: number | undefined;
  /** Whether there is anything left to spend on a further attempt. */
  readonly hasBudget?: () => boolean;
  readonly signal?: AbortSignal | undefined;
  /** Told before every attempt but the first, and at the end where refining was wanted. */
  readonly onRefined?: (step: RefinedStep) => void;
}

export interface RefinedStep {
  readonly attempt: number;
  readonly message: string;
  readonly stop?: RefinementStop;
}

/** The best attempt with what was said about it; a failure beside it is what ended the last attempt. */
export type Refined<Result, Judged, Failure> =
  | {
      readonly best: Result;
      readonly judged: Judged;
      readonly refinement: Refinement;
      readonly failure?: Failure | undefined;
    }
  | { readonly best?: undefined; readonly failure: Failure; readonly stop: RefinementStop };

/** More would cost more than it ever brings, whatever a lens says. */
const mostRefinements = 3;

/** How often results may be refined by what a lens wants. */
export function refinementLimit(wanted: number): number {
  return Number.isNaN(wanted) ? 0 : Math.min(Math.max(Math.trunc(wanted), 0), mostRefinements);
}

/**
 * Tries until the judges let a result pass, or until going on makes no sense, and keeps the best attempt: one that passes,
 * else the one they are surest of, else the earliest. An error of the judge's or attempt's own goes through, unless it is
 * how a cancelled call ends.
 */
export async function refine<Result extends Attempted, Judged extends AttemptJudged, Failure>(
  options: RefineOptions<Result, Judged, Failure>,
): Promise<Refined<Result, Judged, Failure>> {
  const { onRefined, signal } = options;
  const tries: Try<Result, Judged>[] = [];
  let feedback: string | undefined;
  let failure: Failure | undefined;
  let stop: RefinementStop | undefined;
  while (stop === undefined) {
    const n = tries.length + 1;
    try {
      const made = await options.attempt(feedback, n);
      if ('failure' in made) {
        if (tries.length === 0) return made;
        ({ failure, stop } = made);
        break;
      }
      const judged = await options.judge(made.result, n);
      tries.push({ result: made.result, judged, feedback });
    } catch (error) {
      if (tries.length === 0 || !signal?.aborted) throw error;
      stop = 'cancelled';
      break;
    }
    const { verdicts, overall } = tries.at(-1)!.judged;
    feedback = feedbackFrom(verdicts, overall);
    stop = stopAfter(tries, feedback, options);
    if (stop === undefined) onRefined?.({ attempt: n + 1, message: feedback });
  }
  const isRefined = tries.length > 1 || (stop !== 'passed' && stop !== 'not-refinable');
  if (isRefined) onRefined?.({ attempt: tries.length, message: stopWords[stop], stop });
  const best = bestOf(tries);
  const { result, judged } = tries[best]!;
  const refinement: Refinement = { attempts: tries.map(attemptRecord), best: best + 1, stop };
  return { best: result, judged, refinement, ...(failure !== undefined && { failure }) };
}

interface Try<Result, Judged> {
  readonly result: Result;
  readonly judged: Judged;
  /** What it was told. */
  readonly feedback: string | undefined;
}

function stopAfter(
  tries: readonly Try<Attempted, AttemptJudged>[],
  feedback: string,
  {
    limit,
    signal,
    hasBudget,
  }: Pick<RefineOptions<Attempted, AttemptJudged, unknown>, 'limit' | 'signal' | 'hasBudget'>,
): RefinementStop | undefined {
  const { outcome } = tries.at(-1)!.judged.overall;
  if (outcome === 'passed') return 'passed';
  if (signal?.aborted) return 'cancelled';
  if (limit === undefined || outcome === 'not-judged' || feedback === '') return 'not-refinable';
  if (tries.length > refinementLimit(limit)) return 'max-attempts';
  if (hasStalled(tries)) return 'no-improvement';
  return (hasBudget?.() ?? true) ? undefined : 'budget';
}

/** Whether the last two attempts left the judges no surer than they had been. */
function hasStalled(tries: readonly Try<Attempted, AttemptJudged>[]): boolean {
  const known = tries.map(sureness);
  const hasRisen = (at: number): boolean => known[at]! > Math.max(...known.slice(0, at));
  return known.length > 2 && !hasRisen(known.length - 1) && !hasRisen(known.length - 2);
}

const ranks = { passed: 2, 'not-judged': 1, failed: 0 } as const;

function bestOf(tries: readonly Try<Attempted, AttemptJudged>[]): number {
  let best = 0;
  for (const [i, one] of tries.entries()) {
    const than = tries[best]!;
    const ahead = ranks[one.judged.overall.outcome] - ranks[than.judged.overall.outcome];
    if (ahead > 0 || (ahead === 0 && sureness(one) > sureness(than))) best = i;
  }
  return best;
}

function sureness({ judged }: Try<Attempted, AttemptJudged>): number {
  return judged.overall.confidence ?? 0;
}

function attemptRecord(
  { result, judged, feedback }: Try<Attempted, AttemptJudged>,
  i: number,
): AttemptRecord {
  const { content, resultDigest, durationMs, cost } = result;
  const { outcome, confidence } = judged.overall;
  return {
    attempt: i + 1,
    ...(feedback !== undefined && { feedback }),
    content,
    resultDigest,
    verdicts: [...judged.verdicts],
    passed: outcome === 'passed',
    ...(confidence !== undefined && { confidence }),
    durationMs,
    ...(cost && { cost }),
  };
}
