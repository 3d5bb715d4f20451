import { z } from 'zod';
import type { Verdict } from '#shared/model/verdict.ts';
import type { Judge } from '../plan/judges.ts';
import { askModel, type ModelQuestion } from './ask-model.ts';
import { Confidence } from './heuristic-judge.ts';
import { isEmpty } from './judged-work.ts';
import { cut } from './text-checks.ts';
import { trueQuotes } from './true-quotes.ts';

const Answer = z.object({
  usable: z.boolean(),
  confidence: Confidence,
  questions: z.array(z.string()),
  evidence: z.array(z.object({ quote: z.string() })),
  message: z.string(),
});

const mostQuestions = 5;

type PersonaJudge = Extract<Judge, { kind: 'persona' }>;

/** Asks a model in the role of a persona whether it could use a work, and what it would still ask. */
export async function judgeAsPersona(
  judge: PersonaJudge,
  asking: Pick<ModelQuestion<unknown>, 'model' | 'work' | 'signal' | 'onAsked'>,
): Promise<Verdict> {
  const { name, severity } = judge;
  const said = { judge: name, kind: 'persona', severity } as const;
  if (isEmpty(asking.work))
    return { ...said, outcome: 'fail', confidence: 1, message: 'The result is empty' };
  const asked = await askModel({ ...asking, question: questionOf(judge), answer: Answer });
  if ('problem' in asked) return { ...said, outcome: 'error', message: asked.problem };
  const { usable, confidence, message } = asked.value;
  const questions = asked.value.questions.map(cut).filter((question) => question !== '');
  const evidence = trueQuotes(
    asked.value.evidence.map(({ quote }) => quote),
    asking.work,
  );
  return {
    ...said,
    outcome: usable ? 'pass' : 'fail',
    confidence,
    message: cut(message) || (usable ? 'Could use the result' : 'Could not use the result'),
    ...(evidence.length > 0 && { evidence }),
    ...(questions.length > 0 && { questions: questions.slice(0, mostQuestions) }),
  };
}

function questionOf({ name, persona }: PersonaJudge): string {
  const {
    description,
    background,
    goals = [],
    frictionPoints = [],
    attackVectors = [],
    evaluationPrompt,
  } = persona;
  const list = (title: string, items: readonly string[]): string[] =>
    items.length === 0 ? [] : [`${title}:\n${items.map((item) => `- ${item}`).join('\n')}`];
  return [
    `You read a piece of work as "${name}", and say whether you could use it as it stands.`,
    ...[description, background].filter((text) => text !== undefined),
    ...list('What you want', goals),
    ...list('What stops you', frictionPoints),
    ...list('What you try to break', attackVectors),
    ...(evaluationPrompt === undefined ? [] : [evaluationPrompt]),
    [
      'Answer with:',
      '- usable: whether you could use the work for what you want.',
      '- confidence: how sure you are of that, from 0 to 1.',
      '- questions: what you would still have to ask; none where nothing is open.',
      '- evidence: the words of the work that your answer rests on.',
      '- message: one sentence that says why.',
    ].join('\n'),
  ].join('\n\n');
}
