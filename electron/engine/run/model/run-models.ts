import type { ModelCost } from '#shared/model/models.ts';
import type { AskedModel, AskHow, ModelIdentity } from '../../models/asked-model.ts';
import type { Completion, CompletionRequest } from '../../models/complete.ts';
import type { AskableModels } from '../../models/late-models.ts';
import { dollarsFor } from '../../models/prices.ts';
import type { TokenBudget } from './token-budget.ts';

export interface RunModelsOptions {
  readonly models: AskableModels;
  readonly how: AskHow;
  readonly budget: TokenBudget;
  /** Who works and who judges, by what the plan was made with; undefined for nobody. */
  readonly worker: ModelIdentity | undefined;
  readonly judge: ModelIdentity | undefined;
}

/** The models of one run: opened once, and held to one budget together. */
export class RunModels {
  readonly #options: RunModelsOptions;

  constructor(options: RunModelsOptions) {
    this.#options = options;
  }

  /** The model that works; undefined where none is configured. */
  worker(): Promise<AskedModel | undefined> {
    return (this.#worker ??= this.#open(this.#options.worker));
  }
  #worker: Promise<AskedModel | undefined> | undefined;

  judge(): Promise<AskedModel | undefined> {
    const { worker, judge } = this.#options;
    // One recording answers for both, in the order in which it was asked.
    if (judge?.name === worker?.name) return this.worker();
    return (this.#judge ??= this.#open(judge));
  }
  #judge: Promise<AskedModel | undefined> | undefined;

  async #open(identity: ModelIdentity | undefined): Promise<AskedModel | undefined> {
    if (!identity) return undefined;
    const { models, how, budget } = this.#options;
    const asked = await models.ask(identity.name, how);
    return { ...asked, complete: (request) => withinBudget(asked, budget, request) };
  }
}

async function withinBudget<T>(
  asked: AskedModel,
  budget: TokenBudget,
  request: CompletionRequest<T>,
): Promise<Completion<T>> {
  const { left, problem } = budget;
  if (problem !== undefined) {
    const message = `Cannot ask model "${asked.name}": ${problem}`;
    const usage = { inputTokens: 0, outputTokens: 0 };
    return { ok: false, failure: { kind: 'budget', message }, partial: '', usage, steps: 0, durationMs: 0 };
  }
  const own = request.budget?.maxTokens;
  const maxTokens = left === undefined ? own : Math.min(left, own ?? left);
  const completion = await asked.complete({
    ...request,
    budget: { ...request.budget, ...(maxTokens !== undefined && { maxTokens }) },
  });
  budget.use(completion.usage);
  return completion;
}

/** What asking a model cost. */
export function costOf({ name, price }: AskedModel, { usage, steps, durationMs }: Completion): ModelCost {
  const dollars = price && dollarsFor(usage, price);
  return { name, usage, calls: steps, durationMs, ...(dollars !== undefined && { dollars }) };
}
