import { resolve } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import type { Plain } from '#shared/lens/edit/tree.ts';
import type { Config, ModelConfig } from '#shared/model/config.ts';
import type { ModelDraft, ModelList, ModelSummary, ModelTest } from '#shared/model/models.ts';
import { durationText } from '#shared/quantities.ts';
import { editUserConfig } from '../store/edit-user-config.ts';
import type { ConfigChange } from '../store/edit-user-config.ts';
import { readUserConfig } from '../store/user-config.ts';
import { manualModel, recordOf } from './asked-model.ts';
import type { AskedModel, AskHow, ModelIdentity } from './asked-model.ts';
import type { CompletionRequest, OpenModel } from './complete.ts';
import type { ResponseLimits } from './guarded-fetch.ts';
import { KeyStore } from './keychain.ts';
import type { Keychain } from './keychain.ts';
import { problemOf, requireUsable } from './model-checks.ts';
import { ModelError } from './model-error.ts';
import { ModelOpener } from './model-opener.ts';
import { addressOf } from './open-model.ts';
import { priceOf } from './prices.ts';
import { openReplay, recordingDigest } from './recording.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { RetryOptions } from './retry-calls.ts';

export interface ModelsOptions {
  /** The user's folder. Models and keys come from there and from the environment, never from a workspace. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly keychain?: Keychain | undefined;
  readonly limits?: Partial<ResponseLimits>;
  readonly retry?: Partial<RetryOptions>;
  /** Where agents run; without one there are none. */
  readonly sandbox?: (() => Sandbox) | undefined;
}

const testBudget = { maxTokens: 400, maxMs: 30_000, maxSteps: 1 };
/** An agent starts a program, signs in and thinks before it says a word. */
const agentTestBudget = { maxMs: 120_000, maxSteps: 1 };
const testRequest: CompletionRequest = {
  messages: [{ role: 'user', content: 'Answer with the single word: ready' }],
};

/** The user's models: what they are, their keys, and asking them. */
export class Models {
  readonly #options: ModelsOptions;
  readonly #keys: KeyStore;
  readonly #opener: ModelOpener;

  constructor(options: ModelsOptions) {
    this.#options = options;
    const { home, environment, keychain, limits, retry, sandbox } = options;
    this.#keys = new KeyStore(home, keychain);
    this.#opener = new ModelOpener({ home, environment, keys: this.#keys, limits, retry, sandbox });
  }

  async list(): Promise<ModelList> {
    const { config, diagnostics } = await readUserConfig(this.#options.home);
    const models = await Promise.all(config.models.map((model) => this.#summary(model)));
    return {
      models,
      ...(config.defaultModel !== undefined && { defaultModel: config.defaultModel }),
      ...(config.judgeModel !== undefined && { judgeModel: config.judgeModel }),
      canKeepKeys: this.#keys.canKeep,
      problems: diagnostics.map(({ message, location }) => `config.yaml:${location.line}: ${message}`),
    };
  }

  /** Writes a model into `config.yaml`; `previous` is its name until now. The first model becomes the default. */
  async save(draft: ModelDraft, previous: string | undefined): Promise<ModelList> {
    const { config } = await readUserConfig(this.#options.home);
    const { name, provider, model, baseUrl, apiKeyEnv, command } = draft;
    requireUsable(draft);
    if (name !== previous && config.models.some((other) => other.name === name))
      throw new StudioError('model.invalid', `Cannot call the model "${name}": another one has this name`);
    const old = previous === undefined ? undefined : this.#require(config.models, previous);
    const isRenamed = previous !== undefined && previous !== name;
    const isFirst = config.models.length === 0 && config.defaultModel === undefined;
    const fields: Readonly<Record<string, unknown>> = {
      ...{ provider, model, base_url: baseUrl, api_key_env: apiKeyEnv },
      // A program alone is written as its name, as people write it.
      command: command?.length === 1 ? command[0] : command,
      ...(isRenamed && old && Object.keys(old.params).length > 0 && { params: old.params }),
    };
    const changes: ConfigChange[] = [
      ...Object.entries(fields).map(([key, value]) => ({
        path: ['models', name, key],
        ...(value !== undefined && { value: value as Plain }),
      })),
      ...(isRenamed ? [{ path: ['models', previous] }, ...rolesRenamed(config, previous, name)] : []),
      ...(isFirst ? [{ path: ['default_model'], value: name }] : []),
    ];
    await editUserConfig(this.#options.home, changes);
    if (isRenamed) await this.#keys.rename(previous, name);
    return this.list();
  }

  async remove(name: string): Promise<ModelList> {
    const { config } = await readUserConfig(this.#options.home);
    this.#require(config.models, name);
    await this.#keys.forget(name);
    const isLast = config.models.length === 1;
    await editUserConfig(this.#options.home, [
      ...(config.defaultModel === name ? [{ path: ['default_model'] }] : []),
      ...(config.judgeModel === name ? [{ path: ['judge_model'] }] : []),
      { path: isLast ? ['models'] : ['models', name] },
    ]);
    return this.list();
  }

  /** Sets which model works and which one judges; null for none. */
  async choose(choice: {
    readonly default?: string | null;
    readonly judge?: string | null;
  }): Promise<ModelList> {
    const { config } = await readUserConfig(this.#options.home);
    const changes = Object.entries(choice).flatMap(([role, name]): ConfigChange[] => {
      if (name === undefined) return [];
      const path = [`${role}_model`];
      if (name === null) return [{ path }];
      this.#require(config.models, name);
      return [{ path, value: name }];
    });
    await editUserConfig(this.#options.home, changes);
    return this.list();
  }

  /** Seals a key for a model and the server it has now. */
  async keepKey(name: string, key: string): Promise<ModelList> {
    const config = await this.find(name);
    const address = addressOf(config);
    if (!address)
      throw new StudioError('model.invalid', `Cannot keep a key for "${name}": the model has no server`);
    await this.#keys.keep(name, address.origin, key.trim());
    return this.list();
  }

  async forgetKey(name: string): Promise<ModelList> {
    await this.#keys.forget(name);
    return this.list();
  }

  /** The model of this name, or the default one. */
  async find(name: string | undefined): Promise<ModelConfig> {
    const found = await this.#find(name);
    if (found) return found;
    throw new StudioError('model.unknown', 'Cannot choose a model: name one, or set "default_model"');
  }

  /** Which model a name means, or no name; undefined where none is configured. Opens nothing, and needs no key. */
  async identify(name?: string, how: AskHow = {}): Promise<ModelIdentity | undefined> {
    if (how.replay !== undefined) return this.#recorded('replay', how.replay);
    const config = await this.#find(name);
    if (config?.provider !== 'replay') return config && { name: config.name, record: recordOf(config) };
    const { file } = config.params;
    return this.#recorded(config.name, typeof file === 'string' ? resolve(this.#options.home, file) : '');
  }

  /** Which model judges: the one of this name, else `judge_model`, else the one that works. */
  async identifyJudge(
    { judge, worker }: { readonly judge?: string | undefined; readonly worker?: string | undefined },
    how: AskHow = {},
  ): Promise<ModelIdentity | undefined> {
    if (judge !== undefined || how.replay !== undefined) return this.identify(judge, how);
    const { config } = await readUserConfig(this.#options.home);
    // Who works by hand has no model to judge with either.
    const usual = worker === manualModel ? undefined : config.judgeModel;
    return this.identify(usual ?? worker, how);
  }

  /** A model to be asked any number of times, opened at the first question. */
  async ask(name: string | undefined, how: AskHow = {}): Promise<AskedModel> {
    const identity = await this.identify(name, how);
    // A recording answers for every model, also where none is configured.
    const config = how.replay === undefined ? await this.find(name) : configNamed('replay', 'replay');
    let opening: Promise<OpenModel> | undefined;
    return {
      name: config.name,
      record: identity?.record ?? recordOf(config),
      price: priceOf(config),
      complete: (request) => {
        opening ??= this.#opener.open(config, how);
        return this.#opener.ask(config.name, opening, request);
      },
    };
  }

  /** Sends one small question and says what came of it; never tries twice. */
  async test(name: string | undefined, signal?: AbortSignal): Promise<ModelTest> {
    const config = await this.find(name);
    const { provider } = config;
    if (provider === 'manual' || provider === 'replay') return this.#testLocal(config);
    const isAgent = provider === 'command';
    const budget = isAgent ? agentTestBudget : testBudget;
    const request = { ...testRequest, budget, ...(signal && { signal }) };
    const opening = this.#opener.open(config, {}, { maxAttempts: 1 });
    const answer = await this.#opener.ask(config.name, opening, request);
    const { usage, durationMs } = answer;
    const tokens = usage.inputTokens + usage.outputTokens;
    // A model that thinks aloud runs into the limit of the test; it has answered all the same.
    if (answer.ok || answer.failure.kind === 'budget') {
      const counted = isAgent ? '' : ` with ${tokens} tokens`;
      const message = `"${config.name}" answered in ${durationText(durationMs)}${counted}`;
      return { name: config.name, outcome: 'answered', message, durationMs, usage };
    }
    const { kind, message } = answer.failure;
    return { name: config.name, outcome: kind, message, durationMs, usage };
  }

  async #testLocal(config: ModelConfig): Promise<ModelTest> {
    const figures = { durationMs: 0, usage: { inputTokens: 0, outputTokens: 0 } };
    const { name } = config;
    if (config.provider === 'manual') {
      const message = `"${name}" is you: the studio shows the prompt and takes the answer you paste`;
      return { name, outcome: 'nothing-to-connect', message, ...figures };
    }
    try {
      await openReplay(this.#opener.recordingOf(config));
      const message = `"${name}" answers from its recording`;
      return { name, outcome: 'nothing-to-connect', message, ...figures };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const message = `Cannot get an answer of model "${name}": ${error.message}`;
      return { name, outcome: error.kind, message, ...figures };
    }
  }

  async #find(name: string | undefined): Promise<ModelConfig | undefined> {
    const { config } = await readUserConfig(this.#options.home);
    const wanted = name ?? config.defaultModel;
    if (wanted === undefined) return undefined;
    const isOwn = config.models.some((model) => model.name === wanted);
    if (wanted === manualModel && !isOwn) return configNamed(manualModel, 'manual');
    return this.#require(config.models, wanted);
  }

  async #recorded(name: string, file: string): Promise<ModelIdentity> {
    return { name, record: { provider: 'replay', id: await recordingDigest(file), params: {} } };
  }

  async #summary(config: ModelConfig): Promise<ModelSummary> {
    const { name, provider, model, baseUrl, apiKeyEnv, command } = config;
    const key = await this.#opener.keyState(config);
    const problem = problemOf(config, key);
    return {
      name,
      provider: provider as ModelSummary['provider'],
      ...(model !== undefined && { model }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiKeyEnv !== undefined && { apiKeyEnv }),
      ...(command && { command: [...command] }),
      key,
      ...(problem !== undefined && { problem }),
    };
  }

  #require(models: readonly ModelConfig[], name: string): ModelConfig {
    const found = models.find((model) => model.name === name);
    if (found) return found;
    throw new StudioError('model.unknown', `Cannot find model "${name}": see "sunwell model list"`, { name });
  }
}

/** A model that stands in no configuration. */
function configNamed(name: string, provider: string): ModelConfig {
  const at = { file: '', line: 1, column: 1, endLine: 1, endColumn: 1 };
  return { name, provider, params: {}, at, path: [] };
}

/** The default and the judge under the new name of a model. */
function rolesRenamed({ defaultModel, judgeModel }: Config, previous: string, name: string): ConfigChange[] {
  return [
    ...(defaultModel === previous ? [{ path: ['default_model'], value: name }] : []),
    ...(judgeModel === previous ? [{ path: ['judge_model'], value: name }] : []),
  ];
}
