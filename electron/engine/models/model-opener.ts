import { resolve } from 'node:path';
import type { ModelConfig } from '#shared/model/config.ts';
import type { KeyState } from '#shared/model/models.ts';
import type { AskHow } from './asked-model.ts';
import { complete } from './complete.ts';
import type { Completion, CompletionRequest, OpenModel } from './complete.ts';
import { guardedFetch, responseLimits } from './guarded-fetch.ts';
import type { ResponseLimits } from './guarded-fetch.ts';
import { hideKey } from './hide-key.ts';
import type { KeyStore } from './keychain.ts';
import { openManual } from './manual.ts';
import { usualVariables } from './model-checks.ts';
import { ModelError } from './model-error.ts';
import { addressOf, callSettings, needsKey, openServerModel, usesServer } from './open-model.ts';
import { pauseFor } from './pause-for.ts';
import { openReplay, recordTo } from './recording.ts';
import { retryCalls } from './retry-calls.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { RetryOptions } from './retry-calls.ts';

export interface ModelOpenerOptions {
  readonly home: string;
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly keys: KeyStore;
  readonly limits?: Partial<ResponseLimits> | undefined;
  readonly retry?: Partial<RetryOptions> | undefined;
  /** Where agents run; without one there are none. */
  readonly sandbox?: (() => Sandbox) | undefined;
}

/** Opens configured models: finds their keys, and puts what guards them around the connection. */
export class ModelOpener {
  readonly #options: ModelOpenerOptions;

  constructor(options: ModelOpenerOptions) {
    this.#options = options;
  }

  /** Throws a `ModelError` for a model that cannot be asked. */
  async open(config: ModelConfig, how: AskHow, retry: Partial<RetryOptions> = {}): Promise<OpenModel> {
    const { limits, retry: wanted } = this.#options;
    const { name } = config;
    const settings = usesServer(config.provider) ? callSettings(config) : {};
    if (how.replay !== undefined || config.provider === 'replay') {
      const model = await openReplay(how.replay ?? this.recordingOf(config));
      return { name, model, key: undefined, settings: {} };
    }
    const key = await this.#key(config);
    if (config.provider === 'command') return this.#openAgent(config, key, how);
    const model =
      config.provider === 'manual'
        ? openManual(how.askPerson)
        : await openServerModel(config, { key, fetch: guardedFetch({ ...responseLimits, ...limits }) });
    const options = { maxAttempts: 3, pause: pauseFor, random: Math.random, ...wanted, ...retry };
    const { wrapLanguageModel } = await import('ai');
    // The first is the outermost: what is recorded has no key in it, and was asked for as often as needed.
    const middleware = [
      ...(how.record === undefined ? [] : [recordTo(how.record)]),
      hideKey(key),
      retryCalls(options),
    ];
    return { name, model: wrapLanguageModel({ model, middleware }), key, settings };
  }

  async #openAgent(config: ModelConfig, key: string | undefined, how: AskHow): Promise<OpenModel> {
    const { sandbox, environment } = this.#options;
    if (!sandbox) throw new ModelError('not-supported', 'agents are only asked in a run');
    if (how.record !== undefined)
      throw new ModelError(
        'not-supported',
        'answers of an agent cannot be recorded: its files would be missing',
      );
    if (config.apiKeyEnv !== undefined && key === undefined)
      throw new ModelError('no-key', `it needs a key: set ${config.apiKeyEnv}`);
    const [{ openAgent }, { agentTimeoutMs }, { wrapLanguageModel }] = await Promise.all([
      import('./agent-model.ts'),
      import('./run-agent.ts'),
      import('ai'),
    ]);
    const parts = { config, key, environment, sandbox: sandbox() };
    return {
      name: config.name,
      model: (workplace) =>
        wrapLanguageModel({ model: openAgent(parts, workplace), middleware: [hideKey(key)] }),
      key,
      settings: {},
      // The sandbox ends it in time; this is for one that cannot be ended.
      maxMs: agentTimeoutMs(config) + 30_000,
    };
  }

  /** Asks once; what keeps the model from opening is in the answer. */
  async ask<T>(
    name: string,
    opening: Promise<OpenModel>,
    request: CompletionRequest<T>,
  ): Promise<Completion<T>> {
    try {
      return await complete(await opening, request);
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      const message = `Cannot get an answer of model "${name}": ${error.message}`;
      const cost = { usage: { inputTokens: 0, outputTokens: 0 }, steps: 0, durationMs: 0 };
      return { ok: false, failure: { kind: error.kind, message }, partial: '', ...cost };
    }
  }

  recordingOf({ params }: ModelConfig): string {
    const { file } = params;
    if (typeof file !== 'string')
      throw new ModelError('not-recorded', 'it needs "params: {file: …}", the recording to answer from');
    return resolve(this.#options.home, file);
  }

  async keyState(config: ModelConfig): Promise<KeyState> {
    const address = addressOf(config);
    if (address && (await this.#options.keys.find(config.name, address.origin)) !== undefined)
      return 'keychain';
    if (
      this.#keyOfEnvironment(config) !== undefined &&
      (usesServer(config.provider) || config.provider === 'command')
    )
      return 'environment';
    return needsKey(config.provider) || config.apiKeyEnv !== undefined ? 'missing' : 'not-needed';
  }

  async #key(config: ModelConfig): Promise<string | undefined> {
    const address = addressOf(config);
    const kept = address && (await this.#options.keys.find(config.name, address.origin));
    return kept ?? this.#keyOfEnvironment(config);
  }

  #keyOfEnvironment({ provider, apiKeyEnv }: ModelConfig): string | undefined {
    const variable = apiKeyEnv ?? usualVariables[provider];
    return (variable === undefined ? undefined : this.#options.environment[variable]) || undefined;
  }
}
