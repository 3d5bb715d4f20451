import { z } from 'zod';
import { shareText } from '#shared/judgment/overall.ts';
import { validatorDefaults } from '#shared/model/lens.ts';
import type { Verdict } from '#shared/model/verdict.ts';
import type { Judge } from '../plan/judges.ts';
import { askModel, type ModelQuestion } from './ask-model.ts';
import { isEmpty } from './judged-work.ts';
import { cut } from './text-checks.ts';
import { trueQuotes } from './true-quotes.ts';

/** How sure, from 0 to 1; the limits are checked here, for not every server knows them in a schema. */
export const Confidence = z.number().refine((share) => share >= 0 && share <= 1, 'not between 0 and 1');

const Answer = z.object({
  verdict: z.enum(['pass', 'fail']),
  confidence: Confidence,
  evidence: z.array(z.object({ quote: z.string() })),
  message: z.string(),
});

type Heuristic = Extract<Judge, { kind: 'heuristic' }>;

/**
 * Asks a model whether a work keeps to one rule of a lens. A no counts with words that really stand in the work; a yes
 * that is less sure than the validator wants is a no; anything else that comes back is an error.
 */
export async function judgeByHeuristic(
  judge: Heuristic,
  asking: Pick<ModelQuestion<unknown>, 'model' | 'work' | 'signal' | 'onAsked'>,
): Promise<Verdict> {
  const { name, severity, validator } = judge;
  const verdict = (more: Pick<Verdict, 'outcome' | 'message'> & Partial<Verdict>): Verdict => ({
    judge: name,
    kind: 'heuristic',
    severity,
    ...more,
  });
  // There is nothing to quote, and nothing to ask about.
  if (isEmpty(asking.work))
    return verdict({ outcome: 'fail', confidence: 1, message: 'The result is empty' });
  const asked = await askModel({ ...asking, question: questionOf(judge), answer: Answer });
  if ('problem' in asked) return verdict({ outcome: 'error', message: asked.problem });
  const { verdict: outcome, confidence, evidence: given } = asked.value;
  const message = cut(asked.value.message) || 'It gave no reason';
  const quotes = given.map(({ quote }) => quote);
  const evidence = trueQuotes(quotes, asking.work);
  const told = evidence.length > 0 ? { evidence } : {};
  if (outcome === 'fail') {
    return evidence.length > 0
      ? verdict({ outcome, confidence, message, evidence })
      : verdict({ outcome: 'error', message: `${unquoted(quotes)}: ${message}` });
  }
  const threshold = validator.confidenceThreshold ?? validatorDefaults.confidenceThreshold;
  if (confidence >= threshold) return verdict({ outcome, confidence, message, ...told });
  const unsure = `Not sure enough to pass (${shareText(confidence)}, ${shareText(threshold)} is wanted)`;
  // As sure of a no as it is not of a yes, so that the yes counts for no more and no less than it was.
  return verdict({ outcome: 'fail', confidence: 1 - confidence, message: `${unsure}: ${message}`, ...told });
}

function unquoted(quotes: readonly string[]): string {
  return quotes.length === 0
    ? 'It says no without a quote'
    : 'It says no with a quote that is not in the result';
}

function questionOf({ name, validator, signals }: Heuristic): string {
  const { description, prompt } = validator;
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`${title}:\n${items.map((item) => `- ${item}`).join('\n')}`];
  return [
    'You are a strict and fair judge of one check. You judge a piece of work by this check alone.',
    [`Check "${name}"`, ...(description === undefined ? [] : [description]), prompt ?? ''].join('\n').trim(),
    ...list('Signs of quality', signals.good),
    ...list('Signs of problems', signals.bad),
    [
      'Answer with:',
      '- verdict: "pass" where the work meets the check, else "fail".',
      '- confidence: how sure you are of your verdict, from 0 to 1.',
      '- evidence: the words of the work that your verdict rests on. A "fail" needs at least one quote; where something is missing, quote the place where it should stand.',
      '- message: one sentence that says why, and for a "fail" what to change.',
    ].join('\n'),
  ].join('\n\n');
}
