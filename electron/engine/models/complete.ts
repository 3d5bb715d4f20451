import type { ToolSet } from 'ai';
import type { z } from 'zod';
import type { ModelFailureKind, ModelUsage } from '#shared/model/models.ts';
import { steadyMs } from '../store/steady-clock.ts';
import { withoutKey } from './key-filter.ts';
import type { LanguageModel, ProviderOptions } from './language-model.ts';
import { ModelError } from './model-error.ts';
import type { Workplace } from './run-agent.ts';
import { toModelError } from './to-model-error.ts';

export interface Message {
  readonly role: 'user' | 'assistant';
  readonly content: string;
}

/** What a model may call; what `run` returns is what it reads, and what `run` throws is told to it as a failure. */
export interface ModelTool {
  readonly description: string;
  readonly input: z.ZodType;
  readonly run: (input: unknown, signal: AbortSignal) => Promise<string>;
}

/** What a call may cost; a missing limit has a default, never none. */
export interface Budget {
  /** Of all steps together, read and written. */
  readonly maxTokens?: number;
  readonly maxSteps?: number;
  readonly maxMs?: number;
}

export interface CompletionRequest<T = unknown> {
  readonly system?: string;
  readonly messages: readonly Message[];
  readonly tools?: Readonly<Record<string, ModelTool>>;
  /** The form that the answer must have; it is checked, and `value` has it. */
  readonly schema?: z.ZodType<T>;
  readonly signal?: AbortSignal;
  readonly onChunk?: (chunk: CompletionChunk) => void;
  readonly budget?: Budget;
  /** What it is about, for a person who is asked in place of a model. */
  readonly about?: string;
  /** What an agent works on; every other model takes no notice. */
  readonly workplace?: Workplace | undefined;
}

export type CompletionChunk =
  | { readonly type: 'text' | 'thought'; readonly text: string }
  | { readonly type: 'tool-called'; readonly id: string; readonly tool: string; readonly input: unknown }
  | {
      readonly type: 'tool-answered';
      readonly id: string;
      readonly tool: string;
      readonly ok: boolean;
      /** What it said when it failed; also for a tool that was not offered. */
      readonly message?: string;
    };

/** A whole answer, or why there is none with what had come until then. */
export type Completion<T = unknown> = {
  readonly usage: ModelUsage;
  readonly steps: number;
  readonly durationMs: number;
} & (
  | { readonly ok: true; readonly text: string; readonly value: T | undefined }
  | { readonly ok: false; readonly failure: ModelFailure; readonly partial: string }
);

export interface ModelFailure {
  readonly kind: ModelFailureKind;
  readonly message: string;
}

export interface OpenModel {
  /** The user's name for it. */
  readonly name: string;
  /** One for each question where it matters what the question comes with. */
  readonly model: LanguageModel | ((workplace: Workplace | undefined) => LanguageModel);
  readonly key: string | undefined;
  /** Settings of the call by the names of the AI SDK. */
  readonly settings: Readonly<Record<string, unknown>>;
  /** How long an answer may take where the question does not say. */
  readonly maxMs?: number;
}

const defaultBudget = { maxSteps: 20, maxMs: 600_000 };

/** Asks a model until it has answered, with the tools it calls on the way; every failure is an answer of ours, never thrown. */
export async function complete<T>(
  { name, model, key, settings, maxMs: usualMs = defaultBudget.maxMs }: OpenModel,
  request: CompletionRequest<T>,
): Promise<Completion<T>> {
  const started = steadyMs();
  const { maxSteps = defaultBudget.maxSteps, maxMs = usualMs, maxTokens } = request.budget ?? {};
  const deadline = AbortSignal.timeout(maxMs);
  const signal = request.signal ? AbortSignal.any([request.signal, deadline]) : deadline;
  const progress = new Progress(request.onChunk);
  const cost = (): Pick<Completion, 'usage' | 'steps' | 'durationMs'> => ({
    usage: progress.usage,
    steps: progress.steps,
    durationMs: steadyMs() - started,
  });
  try {
    // Nothing is sent, and the SDK is not even loaded, for a call that is already over.
    signal.throwIfAborted();
    const { streamText, Output } = await import('ai');
    // The SDK would print its warnings between the lines of a command.
    globalThis.AI_SDK_LOG_WARNINGS = false;
    const result = streamText({
      ...settings,
      ...outputCap(settings, maxTokens),
      ...(request.about !== undefined && { providerOptions: withAbout(settings, request.about) }),
      model: typeof model === 'function' ? model(request.workplace) : model,
      maxRetries: 0,
      abortSignal: signal,
      ...(request.system !== undefined && { system: request.system }),
      messages: request.messages.map(({ role, content }) => ({ role, content })),
      ...(request.tools && { tools: toolSet(request.tools, signal) }),
      ...(request.schema && { output: Output.object({ schema: request.schema }) }),
      stopWhen: ({ steps }) =>
        steps.length >= maxSteps || (maxTokens !== undefined && progress.tokens >= maxTokens),
      // The SDK would print the error, and with it the whole request.
      onError: () => undefined,
    });
    for await (const part of result.fullStream) progress.take(part);
    progress.requireWhole(maxTokens);
    const value = request.schema ? ((await result.output) as T) : undefined;
    return { ok: true, text: progress.text, value, ...cost() };
  } catch (error) {
    const failure = ended(request.signal, deadline, maxMs) ?? toModelError(error, progress);
    const message = withoutKey(`Cannot get an answer of model "${name}": ${failure.message}`, key);
    return { ok: false, failure: { kind: failure.kind, message }, partial: progress.text, ...cost() };
  }
}

function ended(wish: AbortSignal | undefined, deadline: AbortSignal, maxMs: number): ModelError | undefined {
  if (wish?.aborted) return new ModelError('cancelled', 'it was cancelled');
  return deadline.aborted
    ? new ModelError('timed-out', `it took longer than ${maxMs / 1000} seconds`)
    : undefined;
}

/** Providers refuse to be asked for more than a model can write: only a budget below that is passed on. */
const surelyWritable = 4096;

function outputCap(settings: OpenModel['settings'], maxTokens: number | undefined): object {
  const wanted = settings['maxOutputTokens'];
  if (maxTokens === undefined) return {};
  if (typeof wanted === 'number') return { maxOutputTokens: Math.min(wanted, maxTokens) };
  return maxTokens <= surelyWritable ? { maxOutputTokens: maxTokens } : {};
}

/** Options are sent to nobody but the provider they name: this one is the person who is asked by hand. */
function withAbout({ providerOptions }: OpenModel['settings'], about: string): ProviderOptions {
  return { ...(providerOptions as ProviderOptions | undefined), manual: { about } };
}

function toolSet(tools: Readonly<Record<string, ModelTool>>, signal: AbortSignal): ToolSet {
  return Object.fromEntries(
    Object.entries(tools).map(([name, { description, input, run }]) => [
      name,
      { description, inputSchema: input, execute: (given: unknown) => run(given, signal) },
    ]),
  );
}

/** A part of the SDK's stream, as far as it matters here. */
type Part =
  | { readonly type: 'start-step' }
  | { readonly type: 'text-delta' | 'reasoning-delta'; readonly text: string }
  | {
      readonly type: 'tool-call';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly input: unknown;
    }
  | { readonly type: 'tool-result'; readonly toolCallId: string; readonly toolName: string }
  | {
      readonly type: 'tool-error';
      readonly toolCallId: string;
      readonly toolName: string;
      readonly error: unknown;
    }
  | {
      readonly type: 'finish-step';
      readonly usage: { readonly inputTokens: number | undefined; readonly outputTokens: number | undefined };
      readonly finishReason: string;
      readonly rawFinishReason: string | undefined;
    }
  | { readonly type: 'error'; readonly error: unknown };

/** What has come of an answer so far. */
class Progress {
  readonly #onChunk: CompletionRequest['onChunk'];
  #text = '';
  #steps = 0;
  #usage: ModelUsage = { inputTokens: 0, outputTokens: 0 };
  #end: { readonly reason: string; readonly raw: string | undefined } | undefined;
  /** Whether any of the answer has come. */
  hasStarted = false;

  constructor(onChunk: CompletionRequest['onChunk']) {
    this.#onChunk = onChunk;
  }

  /** Of the last step: what a model says before it calls a tool is not its answer. */
  get text(): string {
    return this.#text;
  }

  get steps(): number {
    return this.#steps;
  }

  get usage(): ModelUsage {
    return this.#usage;
  }

  get tokens(): number {
    return this.#usage.inputTokens + this.#usage.outputTokens;
  }

  take(part: Part | { readonly type: string }): void {
    const known = part as Part;
    switch (known.type) {
      case 'start-step':
        this.#text = '';
        this.#end = undefined;
        return;
      case 'text-delta':
        this.hasStarted = true;
        this.#text += known.text;
        return this.#onChunk?.({ type: 'text', text: known.text });
      case 'reasoning-delta':
        this.hasStarted = true;
        return this.#onChunk?.({ type: 'thought', text: known.text });
      case 'tool-call':
        this.hasStarted = true;
        return this.#onChunk?.({
          type: 'tool-called',
          id: known.toolCallId,
          tool: known.toolName,
          input: known.input,
        });
      case 'tool-result':
        return this.#onChunk?.({
          type: 'tool-answered',
          id: known.toolCallId,
          tool: known.toolName,
          ok: true,
        });
      case 'tool-error': {
        const { error, toolCallId: id, toolName: tool } = known;
        const message = error instanceof Error ? error.message : String(error);
        return this.#onChunk?.({ type: 'tool-answered', id, tool, ok: false, message });
      }
      case 'finish-step': {
        const { inputTokens, outputTokens } = known.usage;
        this.#steps++;
        this.#usage = {
          inputTokens: this.#usage.inputTokens + (inputTokens ?? 0),
          outputTokens: this.#usage.outputTokens + (outputTokens ?? 0),
        };
        this.#end = { reason: known.finishReason, raw: known.rawFinishReason };
        return;
      }
      case 'error':
        throw toModelError(known.error, this);
      default:
        return; // Starts and ends of pieces say nothing that the pieces do not.
    }
  }

  /** Refuses an answer that did not end by itself. */
  requireWhole(maxTokens: number | undefined): void {
    const { reason, raw } = this.#end ?? {};
    if (reason === 'tool-calls')
      throw maxTokens !== undefined && this.tokens >= maxTokens
        ? new ModelError('budget', `it used up its ${maxTokens} tokens`)
        : new ModelError('too-many-steps', `it still called tools after ${this.#steps} steps`);
    if (reason === 'length') throw new ModelError('budget', 'its answer reached the limit of tokens');
    if (reason === 'content-filter') throw new ModelError('refused', 'its provider withheld the answer');
    // A server that ends an answer says why; without a reason the line went dead.
    if (raw === undefined) throw new ModelError('cut', 'its answer broke off');
  }
}
