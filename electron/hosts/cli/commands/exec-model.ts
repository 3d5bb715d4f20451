import { defaultHome } from '#engine/home.ts';
import { ModelError } from '#engine/models/model-error.ts';
import { Models } from '#engine/models/models.ts';
import type { Resolution } from '#engine/resolve/resolve.ts';
import { runModelStep } from '#engine/run/model/run-model-step.ts';
import { TokenBudget } from '#engine/run/model/token-budget.ts';
import { RunModels } from '#engine/run/model/run-models.ts';
import type { RunSkillOptions } from '#engine/run/run-skill.ts';
import type { StepResult } from '#engine/run/step-result.ts';
import { StudioError } from '#shared/errors.ts';
import type { Invocation } from '../invocation.ts';
import { answerByHand } from '../run/answer-by-hand.ts';
import { costText } from '../run/cost-text.ts';
import { howToAsk, modelRequest, type ModelWords } from '../run/model-words.ts';
import { inert } from '../terminal.ts';

/** Lets a model work on one skill, as `exec` runs scripts; what it does on the way is told on standard error. */
export async function execByModel(
  invocation: Invocation,
  { resolution, words, ...options }: RunSkillOptions & { resolution: Resolution; words: ModelWords },
): Promise<StepResult> {
  const { terminal, output } = invocation;
  const { environment } = terminal.machine;
  const models = new Models({
    home: defaultHome(environment),
    environment,
    sandbox: () => options.sandbox,
  });
  const how = {
    ...howToAsk(invocation, words),
    askPerson: async ({ prompt, about }: { prompt: string; about: string }) => {
      const text = await answerByHand(invocation, { skill: about, prompt });
      if (text === null) throw new ModelError('nobody-to-ask', 'you gave no answer');
      return text;
    },
  };
  const { model: named, tokenBudget } = modelRequest(words);
  const worker = await models.identify(named, how);
  const budget = new TokenBudget(tokenBudget);
  const model = await new RunModels({ models, how, budget, worker, judge: undefined }).worker();
  if (!model) {
    throw new StudioError(
      'skill.needs-model',
      `Cannot run "${options.skill.name}": it needs a model, so set one up in config.yaml, or use --manual or --replay FILE`,
      { skill: options.skill.id },
    );
  }
  const note = (text: string): void => output.note(inert(text));
  return runModelStep({
    ...options,
    resolution,
    model,
    onText: () => undefined,
    onTool: ({ tool, input, ok, message = '' }) =>
      note(ok ? `${tool} ${input}` : `${tool} refused: ${message}`),
    onOpened: (event) => note(`opened ${'skill' in event ? event.skill : event.section}`),
    onAsked: (cost) => note(costText(cost)),
    onNote: note,
  });
}
