import { outcomeOf, type Overall } from '#shared/judgment/overall.ts';
import type { Verdict } from '#shared/model/verdict.ts';

/** Sure enough of a yes that there is nothing to do about it. */
const sure = 0.9;

/**
 * What a further attempt is told: every check that said no, or yes without being sure, with the words it rests on. Empty
 * where there is nothing to do better, as when judges only broke.
 */
export function feedbackFrom(verdicts: readonly Verdict[], overall: Overall): string {
  if (overall.outcome === 'passed') return '';
  const failed = verdicts.filter((verdict) => outcomeOf(verdict) === 'fail');
  const unsure = verdicts.filter(
    (verdict) => outcomeOf(verdict) === 'pass' && (verdict.confidence ?? 1) < sure,
  );
  const told = failed.length > 0 ? failed : unsure;
  return told.map(checkText).join('\n\n');
}

function checkText(verdict: Verdict): string {
  const { judge, message, evidence = [], questions = [] } = verdict;
  const isNo = outcomeOf(verdict) === 'fail';
  return [
    `${isNo ? 'Failed' : 'Not sure'}: ${judge}: ${message}`,
    ...evidence.map(({ quote, file, line }) => `  ${placeText(file, line)}${JSON.stringify(quote)}`),
    ...questions.map((question) => `  Asked: ${question}`),
  ].join('\n');
}

function placeText(file: string | undefined, line: number | undefined): string {
  if (file === undefined) return line === undefined ? '' : `line ${line}: `;
  return `${file}${line === undefined ? '' : `:${line}`}: `;
}
