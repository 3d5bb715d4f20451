import { resolve } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import type { Plain } from '#shared/lens/edit/tree.ts';
import type { Config, ModelConfig } from '#shared/model/config.ts';
import type { KeyState, ModelDraft, ModelList, ModelSummary, ModelTest } from '#shared/model/models.ts';
import { durationText } from '#shared/quantities.ts';
import { editUserConfig } from '../store/edit-user-config.ts';
import type { ConfigChange } from '../store/edit-user-config.ts';
import { readUserConfig } from '../store/user-config.ts';
import { complete } from './complete.ts';
import type { Completion, CompletionRequest, OpenModel } from './complete.ts';
import { guardedFetch, responseLimits } from './guarded-fetch.ts';
import type { ResponseLimits } from './guarded-fetch.ts';
import { hideKey } from './hide-key.ts';
import { KeyStore } from './keychain.ts';
import type { Keychain } from './keychain.ts';
import { openManual } from './manual.ts';
import type { AskPerson } from './manual.ts';
import { problemOf, requireUsable, usualVariables } from './model-checks.ts';
import { ModelError } from './model-error.ts';
import { addressOf, callSettings, needsKey, openServerModel, usesServer } from './open-model.ts';
import { openReplay, recordTo } from './recording.ts';
import { retryCalls } from './retry-calls.ts';
import type { RetryOptions } from './retry-calls.ts';
import { pauseFor } from './pause-for.ts';

export interface ModelsOptions {
  /** The user's folder. Models and keys come from there and from the environment, never from a workspace. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly keychain?: Keychain | undefined;
  /** Shows a prompt to the user and returns the answer they pasted; absent where nobody sits. */
  readonly askPerson?: AskPerson | undefined;
  /** Appends every answer to this file, for `replay`. */
  readonly record?: string | undefined;
  readonly limits?: Partial<ResponseLimits>;
  readonly retry?: Partial<RetryOptions>;
}

const testBudget = { maxTokens: 400, maxMs: 30_000, maxSteps: 1 };
const testRequest: CompletionRequest = {
  messages: [{ role: 'user', content: 'Answer with the single word: ready' }],
  budget: testBudget,
};

/** The user's models: what they are, their keys, and asking them. */
export class Models {
  readonly #options: ModelsOptions;
  readonly #keys: KeyStore;

  constructor(options: ModelsOptions) {
    this.#options = options;
    this.#keys = new KeyStore(options.home, options.keychain);
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
    const { name, provider, model, baseUrl, apiKeyEnv } = draft;
    requireUsable(draft);
    if (name !== previous && config.models.some((other) => other.name === name))
      throw new StudioError('model.invalid', `Cannot call the model "${name}": another one has this name`);
    const old = previous === undefined ? undefined : this.#require(config.models, previous);
    const isRenamed = previous !== undefined && previous !== name;
    const isFirst = config.models.length === 0 && config.defaultModel === undefined;
    const fields: Readonly<Record<string, unknown>> = {
      ...{ provider, model, base_url: baseUrl, api_key_env: apiKeyEnv },
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
    const { config } = await readUserConfig(this.#options.home);
    const wanted = name ?? config.defaultModel;
    if (wanted === undefined)
      throw new StudioError('model.unknown', 'Cannot choose a model: name one, or set "default_model"');
    return this.#require(config.models, wanted);
  }

  /** Asks a model by name, the default one without; what goes wrong on the way is in the answer. */
  async complete<T>(name: string | undefined, request: CompletionRequest<T>): Promise<Completion<T>> {
    return this.#ask(await this.find(name), request, {});
  }

  /** Sends one small question and says what came of it; never tries twice. */
  async test(name: string | undefined, signal?: AbortSignal): Promise<ModelTest> {
    const config = await this.find(name);
    const { provider } = config;
    if (provider === 'manual' || provider === 'replay') return this.#testLocal(config);
    const request = { ...testRequest, ...(signal && { signal }) };
    const answer = await this.#ask(config, request, { maxAttempts: 1 });
    const { usage, durationMs } = answer;
    const tokens = usage.inputTokens + usage.outputTokens;
    // A model that thinks aloud runs into the limit of the test; it has answered all the same.
    if (answer.ok || answer.failure.kind === 'budget') {
      const message = `"${config.name}" answered in ${durationText(durationMs)} with ${tokens} tokens`;
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
      await openReplay(this.#recordingOf(config));
      const message = `"${name}" answers from its recording`;
      return { name, outcome: 'nothing-to-connect', message, ...figures };
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const message = `Cannot get an answer of model "${name}": ${error.message}`;
      return { name, outcome: error.kind, message, ...figures };
    }
  }

  async #ask<T>(
    config: ModelConfig,
    request: CompletionRequest<T>,
    retry: Partial<RetryOptions>,
  ): Promise<Completion<T>> {
    try {
      return await complete(await this.#open(config, retry), request);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const message = `Cannot get an answer of model "${config.name}": ${error.message}`;
      const cost = { usage: { inputTokens: 0, outputTokens: 0 }, steps: 0, durationMs: 0 };
      return { ok: false, failure: { kind: error.kind, message }, partial: '', ...cost };
    }
  }

  async #open(config: ModelConfig, retry: Partial<RetryOptions>): Promise<OpenModel> {
    const { record, limits, retry: wanted, askPerson } = this.#options;
    const { name } = config;
    const settings = usesServer(config.provider) ? callSettings(config) : {};
    if (config.provider === 'replay')
      return { name, model: await openReplay(this.#recordingOf(config)), key: undefined, settings };
    const key = await this.#key(config);
    const model =
      config.provider === 'manual'
        ? openManual(askPerson)
        : await openServerModel(config, { key, fetch: guardedFetch({ ...responseLimits, ...limits }) });
    const options = { maxAttempts: 3, pause: pauseFor, random: Math.random, ...wanted, ...retry };
    const { wrapLanguageModel } = await import('ai');
    // The first is the outermost: what is recorded has no key in it, and was asked for as often as needed.
    const middleware = [
      ...(record === undefined ? [] : [recordTo(record)]),
      hideKey(key),
      retryCalls(options),
    ];
    return { name, model: wrapLanguageModel({ model, middleware }), key, settings };
  }

  async #key(config: ModelConfig): Promise<string | undefined> {
    const address = addressOf(config);
    const kept = address && (await this.#keys.find(config.name, address.origin));
    return kept ?? this.#keyOfEnvironment(config);
  }

  #keyOfEnvironment({ provider, apiKeyEnv }: ModelConfig): string | undefined {
    const variable = apiKeyEnv ?? usualVariables[provider];
    return (variable === undefined ? undefined : this.#options.environment[variable]) || undefined;
  }

  #recordingOf({ params }: ModelConfig): string {
    const { file } = params;
    if (typeof file !== 'string')
      throw new ModelError('not-recorded', 'it needs "params: {file: …}", the recording to answer from');
    return resolve(this.#options.home, file);
  }

  async #summary(config: ModelConfig): Promise<ModelSummary> {
    const { name, provider, model, baseUrl, apiKeyEnv } = config;
    const key = await this.#keyState(config);
    const problem = problemOf(config, key);
    return {
      name,
      provider: provider as ModelSummary['provider'],
      ...(model !== undefined && { model }),
      ...(baseUrl !== undefined && { baseUrl }),
      ...(apiKeyEnv !== undefined && { apiKeyEnv }),
      key,
      ...(problem !== undefined && { problem }),
    };
  }

  async #keyState(config: ModelConfig): Promise<KeyState> {
    const address = addressOf(config);
    if (address && (await this.#keys.find(config.name, address.origin)) !== undefined) return 'keychain';
    if (this.#keyOfEnvironment(config) !== undefined && usesServer(config.provider)) return 'environment';
    return needsKey(config.provider) || config.apiKeyEnv !== undefined ? 'missing' : 'not-needed';
  }

  #require(models: readonly ModelConfig[], name: string): ModelConfig {
    const found = models.find((model) => model.name === name);
    if (found) return found;
    throw new StudioError('model.unknown', `Cannot find model "${name}": see "sunwell model list"`, { name });
  }
}

/** The default and the judge under the new name of a model. */
function rolesRenamed({ defaultModel, judgeModel }: Config, previous: string, name: string): ConfigChange[] {
  return [
    ...(defaultModel === previous ? [{ path: ['default_model'], value: name }] : []),
    ...(judgeModel === previous ? [{ path: ['judge_model'], value: name }] : []),
  ];
}
