import type { Refinement, RefinementStop } from '../model/run.ts';
import type { Evidence, JudgmentRule, Verdict, VerdictOutcome } from '../model/verdict.ts';
import { outcomeOf, overall, shareText, type Overall } from './overall.ts';

/** Outcomes as people read them. */
export const outcomeWords: Readonly<Record<VerdictOutcome, string>> = {
  pass: 'pass',
  fail: 'fail',
  error: 'error',
  'not-judged': 'not judged',
};

export const overallWords: Readonly<Record<Overall['outcome'], string>> = {
  passed: 'passed',
  failed: 'did not pass',
  'not-judged': 'not judged',
};

/** Why there was no further attempt. */
export const stopWords: Readonly<Record<RefinementStop, string>> = {
  passed: 'the result passes',
  'max-attempts': 'no attempts are left',
  'no-improvement': 'two attempts in a row were no better',
  budget: 'the budget of tokens is spent',
  cancelled: 'it was cancelled',
  failed: 'the next attempt failed',
  'not-refinable': 'another attempt would not help',
};

/** `fail 0.90`; with the word of a person first, and that of the judge behind it. */
export function verdictText({ outcome, confidence, override }: Verdict): string {
  const own = `${outcomeWords[outcome]}${confidence === undefined ? '' : ` ${shareText(confidence)}`}`;
  return override ? `${outcomeWords[override.outcome]} by a person, was ${own}` : own;
}

/** `no-todo: contains "TODO"`: who speaks against a result and why, in the words of a person where one has spoken. */
export function linesAgainst(verdicts: readonly Verdict[]): string[] {
  const against = verdicts.filter((verdict) => /fail|error/.test(outcomeOf(verdict)));
  return against.map(({ judge, message, override }) =>
    override ? `${judge}: a person says no: ${override.note}` : `${judge}: ${message}`,
  );
}

/** `docs/a.md:3`, `line 3`, or nothing. */
export function placeText({ file, line }: Evidence): string {
  if (file === undefined) return line === undefined ? '' : `line ${line}`;
  return line === undefined ? file : `${file}:${line}`;
}

/** `docs/a.md:3 "the words"`. */
export function evidenceText(evidence: Evidence): string {
  return `${placeText(evidence)} ${JSON.stringify(evidence.quote)}`.trim();
}

/** What all verdicts about a step come to; undefined where nobody judged it. */
export function overallOf({
  verdicts,
  rule,
}: {
  readonly verdicts: readonly Verdict[];
  readonly rule?: JudgmentRule | undefined;
}): Overall | undefined {
  return rule && verdicts.length > 0 ? overall(verdicts, rule) : undefined;
}

/** `did not pass: …`, as one sentence without a subject. */
export function overallText({ outcome, why }: Overall): string {
  return why.length === 0 ? overallWords[outcome] : `${overallWords[outcome]}: ${why.join('; ')}`;
}

/** `3 attempts, attempt 2 is kept: no attempts are left`; empty where refining was never wanted. */
export function refinementText({ attempts, best, stop }: Refinement): string {
  if (attempts.length < 2 && (stop === 'passed' || stop === 'not-refinable')) return '';
  const count = attempts.length === 1 ? '1 attempt' : `${attempts.length} attempts`;
  return `${count}, attempt ${best} is kept: ${stopWords[stop]}`;
}
