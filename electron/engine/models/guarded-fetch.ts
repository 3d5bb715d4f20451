import { ModelError } from './model-error.ts';

export interface ResponseLimits {
  /** Longest silence, before the answer and between two pieces of it. */
  readonly idleMs: number;
  /** Most bytes of one response. */
  readonly maxBytes: number;
}

export const responseLimits: ResponseLimits = { idleMs: 120_000, maxBytes: 32 * 1024 * 1024 };

/** A `fetch` for model servers: follows no redirect, ends an answer that is silent or large without end. */
export function guardedFetch({ idleMs, maxBytes }: ResponseLimits): typeof fetch {
  return async (input, init) => {
    const stop = new AbortController();
    const silence = setTimeout(() => stop.abort(), idleMs);
    const tooSilent = (): ModelError =>
      new ModelError('timed-out', `it said nothing for ${idleMs / 1000} seconds`);
    const signal = init?.signal ? AbortSignal.any([init.signal, stop.signal]) : stop.signal;
    let response: Response;
    try {
      // A redirect would carry the key, or the prompt, to a server that nobody configured.
      response = await fetch(input, { ...init, redirect: 'manual', signal });
    } catch (error) {
      clearTimeout(silence);
      throw stop.signal.aborted ? tooSilent() : error;
    }
    if (response.status >= 300 && response.status < 400) {
      clearTimeout(silence);
      await response.body?.cancel();
      throw new ModelError('redirected', `it redirects to another address (${response.status})`);
    }
    if (!response.body) {
      clearTimeout(silence);
      return response;
    }
    const reader = response.body.getReader() as ReadableStreamDefaultReader<Uint8Array>;
    let bytes = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        try {
          silence.refresh();
          const { done, value } = await reader.read();
          if (done) {
            clearTimeout(silence);
            controller.close();
            return;
          }
          bytes += value.byteLength;
          if (bytes > maxBytes) {
            stop.abort();
            throw new ModelError('too-large', `its answer is larger than ${maxBytes} bytes`);
          }
          controller.enqueue(value);
        } catch (error) {
          clearTimeout(silence);
          controller.error(error instanceof ModelError || !stop.signal.aborted ? error : tooSilent());
        }
      },
      async cancel(reason) {
        clearTimeout(silence);
        await reader.cancel(reason);
      },
    });
    const { status, statusText, headers } = response;
    return new Response(body, { status, statusText, headers });
  };
}
