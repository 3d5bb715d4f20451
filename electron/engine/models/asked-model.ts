import type { ModelConfig } from '#shared/model/config.ts';
import type { Completion, CompletionRequest } from './complete.ts';
import type { AskPerson } from './manual.ts';
import type { Price } from './prices.ts';

/** What of a model may change its answers: no key, no address, nothing that only says how it is reached. */
export interface ModelRecord {
  readonly provider: string;
  /** The provider's own name for it; the digest of the file for a recording. */
  readonly id: string;
  readonly params: Readonly<Record<string, unknown>>;
}

/** Which model is meant, without opening it. */
export interface ModelIdentity {
  /** The user's name for it. */
  readonly name: string;
  readonly record: ModelRecord;
}

/** A model that can be asked; opened at the first question, and what keeps it from opening is an answer too. */
export interface AskedModel extends ModelIdentity {
  /** Missing where nobody knows what it costs. */
  readonly price?: Price | undefined;
  complete<T>(request: CompletionRequest<T>): Promise<Completion<T>>;
}

/** How models are asked, beyond what the configuration says; comes from the person at the keyboard, never from a workspace. */
export interface AskHow {
  /** Answers from this recording, whatever model is meant. */
  readonly replay?: string | undefined;
  /** Appends every answer to this file, for `replay`. */
  readonly record?: string | undefined;
  /** Shows a prompt to a person and returns the answer they pasted. */
  readonly askPerson?: AskPerson | undefined;
}

/** A person in place of a model: there for everybody, without being configured. */
export const manualModel = 'manual';

/** Settings of a model that change no answer. */
const passingParams = new Set(['price', 'file']);

/** What of a configured model may change its answers. */
export function recordOf({ provider, model, baseUrl, params, command }: ModelConfig): ModelRecord {
  const kept = Object.entries(params).filter(([name]) => !passingParams.has(name));
  // Two servers may give one name to two models; what a URL holds beside the place may be a secret.
  const place = baseUrl !== undefined && URL.canParse(baseUrl) ? new URL(baseUrl) : undefined;
  return {
    provider,
    id: [...(command ?? []), ...(model === undefined ? [] : [model])].join(' '),
    params: {
      ...Object.fromEntries(kept),
      ...(place && { base_url: `${place.origin}${place.pathname}` }),
    },
  };
}
