import {
  overallOf,
  overallText,
  evidenceText,
  refinementText,
  verdictText,
} from '#shared/judgment/verdict-words.ts';
import type { StepRecord } from '#shared/model/run.ts';
import type { Verdict } from '#shared/model/verdict.ts';

/** What was said about the result of a step, with the words it rests on; nothing where nobody judged it. */
export function verdictLines(
  step: Pick<StepRecord, 'skill' | 'refinement' | 'rule'> & { readonly verdicts: readonly Verdict[] },
): string[] {
  const { skill, verdicts, refinement } = step;
  if (verdicts.length === 0) return [];
  const overall = overallOf(step);
  const refined = refinement ? refinementText(refinement) : '';
  return [
    `${skill}${overall ? ` ${overallText(overall)}` : ''}`,
    ...verdicts.flatMap((verdict) => [
      `  ${verdict.judge}: ${verdictText(verdict)}: ${verdict.message}`,
      ...(verdict.override ? [`    their note: ${verdict.override.note}`] : []),
      ...(verdict.evidence ?? []).map((evidence) => `    ${evidenceText(evidence)}`),
      ...(verdict.questions ?? []).map((question) => `    asks: ${question}`),
    ]),
    ...(refined === '' ? [] : [`  ${refined}`]),
  ];
}
