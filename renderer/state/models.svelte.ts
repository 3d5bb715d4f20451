import type { StudioClient } from '#shared/contract.ts';
import type { ModelDraft, ModelList, ModelSummary, ModelTest } from '#shared/model/models.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';

interface ModelsViewOptions {
  readonly client: () => Pick<StudioClient, 'models'>;
  /** What plans rest on is another now: by what the user did here, or in the file of the configuration. */
  readonly changed: () => void;
}

/** The user's models as the engine knows them, and what came of trying them. Keys only go out, and are not kept here. */
export class ModelsView {
  readonly #options: ModelsViewOptions;
  #list = $state.raw<ModelList>();
  #failure = $state.raw<Failure>();
  #tests = $state.raw<ReadonlyMap<string, ModelTest | 'testing'>>(new Map());

  constructor(options: ModelsViewOptions) {
    this.#options = options;
  }

  /** Undefined until the engine has answered for the first time. */
  get list(): ModelList | undefined {
    return this.#list;
  }

  /** The model that works where a skill names none. */
  get current(): ModelSummary | undefined {
    const { models = [], defaultModel } = this.#list ?? {};
    return models.find(({ name }) => name === defaultModel);
  }

  /** Why the last thing that was asked for did not happen. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  testOf(name: string): ModelTest | 'testing' | undefined {
    return this.#tests.get(name);
  }

  async ask(): Promise<void> {
    await this.#keep((models) => models.list(), { isQuestion: true });
  }

  /** Answers whether it was saved. */
  save(draft: ModelDraft, previous: string | undefined): Promise<boolean> {
    return this.#keep((models) => models.save({ draft, ...(previous !== undefined && { previous }) }));
  }

  remove(name: string): Promise<boolean> {
    return this.#keep((models) => models.remove({ name }));
  }

  makeDefault(name: string): Promise<boolean> {
    return this.#keep((models) => models.choose({ default: name }));
  }

  keepKey(name: string, key: string): Promise<boolean> {
    return this.#keep((models) => models.keepKey({ name, key }));
  }

  forgetKey(name: string): Promise<boolean> {
    return this.#keep((models) => models.forgetKey({ name }));
  }

  async test(name: string): Promise<void> {
    if (this.#tests.get(name) === 'testing') return;
    this.#tests = new Map(this.#tests).set(name, 'testing');
    let outcome: ModelTest | undefined;
    try {
      outcome = await this.#options.client().models.test({ name });
      this.#failure = undefined;
    } catch (error) {
      this.#failure = toFailure(error);
    }
    const tests = new Map(this.#tests);
    if (outcome) tests.set(name, outcome);
    else tests.delete(name);
    this.#tests = tests;
  }

  async #keep(
    ask: (models: StudioClient['models']) => Promise<ModelList>,
    { isQuestion = false } = {},
  ): Promise<boolean> {
    try {
      const before = this.#list;
      this.#list = await ask(this.#options.client().models);
      this.#failure = undefined;
      if (!before) return true;
      const isSame = JSON.stringify(before) === JSON.stringify(this.#list);
      // What a test said holds for the model as it was; another key in place of one does not show in the list.
      if (!isSame || !isQuestion) this.#tests = new Map();
      if (!isSame) this.#options.changed();
      return true;
    } catch (error) {
      this.#failure = toFailure(error);
      return false;
    }
  }
}
