import type { Middleware } from './language-model.ts';
import { toModelError } from './to-model-error.ts';

export interface RetryOptions {
  /** How often one request is sent at most. */
  readonly maxAttempts: number;
  readonly pause: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  readonly random: () => number;
}

const firstPauseMs = 500;
const longestPauseMs = 20_000;
const passing = new Set(['rate-limited', 'server-error', 'unreachable', 'timed-out']);

/** Sends a request again that failed before its answer began: what was already streamed or done is never repeated. */
export function retryCalls({ maxAttempts, pause, random }: RetryOptions): Middleware {
  return {
    specificationVersion: 'v3',
    wrapStream: async ({ doStream, params }) => {
      for (let attempt = 1; ; attempt++) {
        try {
          return await doStream();
        } catch (error) {
          const failure = toModelError(error);
          if (attempt >= maxAttempts || !passing.has(failure.kind) || params.abortSignal?.aborted)
            throw failure;
          // Spread over the whole span: many steps that were refused together must not come back together.
          const spread = Math.min(firstPauseMs * 2 ** (attempt - 1), longestPauseMs) * random();
          await pause(Math.max(failure.retryAfterMs ?? 0, spread), params.abortSignal);
        }
      }
    },
  };
}
