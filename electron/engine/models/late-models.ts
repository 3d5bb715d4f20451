import type { AskedModel, AskHow, ModelIdentity } from './asked-model.ts';
import type { Models, ModelsOptions } from './models.ts';

/** What plans and runs want of the user's models. */
export type AskableModels = Pick<Models, 'identify' | 'identifyJudge' | 'ask'>;

/** The user's models, loaded with all that reads their configuration when somebody asks about one. */
export class LateModels implements AskableModels {
  readonly #options: ModelsOptions;
  #opening: Promise<Models> | undefined;

  constructor(options: ModelsOptions) {
    this.#options = options;
  }

  async identify(name?: string, how?: AskHow): Promise<ModelIdentity | undefined> {
    return (await this.#models()).identify(name, how);
  }

  async identifyJudge(
    names: Parameters<Models['identifyJudge']>[0],
    how?: AskHow,
  ): Promise<ModelIdentity | undefined> {
    return (await this.#models()).identifyJudge(names, how);
  }

  async ask(name: string | undefined, how?: AskHow): Promise<AskedModel> {
    return (await this.#models()).ask(name, how);
  }

  #models(): Promise<Models> {
    this.#opening ??= import('./models.ts').then(({ Models: Opened }) => new Opened(this.#options));
    return this.#opening;
  }
}
