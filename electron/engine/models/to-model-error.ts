import { ModelError } from './model-error.ts';

/** What the AI SDK tells of a failed request; read by shape, so that its code need not be loaded for it. */
interface RequestFailure {
  readonly statusCode?: number;
  readonly responseHeaders?: Readonly<Record<string, string>>;
  readonly responseBody?: string;
}

const longestWait = 60_000;

/** Says in our words why a call failed; `hasStarted` when a part of the answer had already come. */
export function toModelError(error: unknown, { hasStarted = false } = {}): ModelError {
  const chain = causes(error);
  const known = chain.find((cause) => cause instanceof ModelError);
  if (known) return known;
  const options = { cause: error };
  const { statusCode, responseHeaders, responseBody } =
    (chain.find((cause) => 'statusCode' in cause) as RequestFailure | undefined) ?? {};
  // A stream that begins with nonsense is given a status by the SDK that no server sent.
  const isMadeUp = responseBody?.includes('"name":"AI_') ?? false;
  if (statusCode !== undefined && statusCode >= 400 && !isMadeUp)
    return statusError(statusCode, responseHeaders, saidBy(chain));
  const names = chain.map(({ name }) => name);
  if (names.some((name) => name === 'AbortError' || name === 'TimeoutError'))
    return new ModelError('cancelled', 'it was cancelled', options);
  const saysItBrokeOff = chain.some(({ message }) => message.includes('without a finish reason'));
  if (saysItBrokeOff || names.some((name) => name.includes('NoOutputGenerated')))
    return new ModelError('cut', 'its answer broke off', options);
  if (names.some((name) => name.includes('NoObjectGenerated')))
    return new ModelError('wrong-shape', 'its answer has not the asked form', options);
  if (
    isMadeUp ||
    names.some((name) => /JSONParse|TypeValidation|InvalidResponseData|EmptyResponseBody/.test(name))
  )
    return new ModelError('malformed', 'its answer is not one that this provider gives', options);
  const code = chain.flatMap((cause) => ('code' in cause ? [String(cause.code)] : []))[0];
  const isNetwork =
    code !== undefined ||
    chain.some(({ message }) => /fetch failed|terminated|Cannot connect to API/.test(message));
  if (isNetwork)
    return hasStarted
      ? new ModelError('cut', 'its answer broke off', options)
      : new ModelError(
          'unreachable',
          `nobody answers${placeOf(chain, code)}: check its address and the network`,
          options,
        );
  return new ModelError('malformed', `its answer cannot be used: ${saidBy(chain)}`, options);
}

/** Where nobody answers, as far as it is known; never more of an address than its server, for a path may hold a key. */
function placeOf(chain: readonly Error[], code: string | undefined): string {
  const { url } = (chain.find((cause) => 'url' in cause) as { readonly url?: unknown } | undefined) ?? {};
  const server = typeof url === 'string' && URL.canParse(url) ? ` at "${new URL(url).origin}"` : '';
  return `${server}${code === undefined ? '' : ` (${code})`}`;
}

function statusError(
  status: number,
  headers: Readonly<Record<string, string>> = {},
  said: string,
): ModelError {
  if (status === 401 || status === 403)
    return new ModelError('wrong-key', `it refuses the key (${status}): ${said}`);
  const retryAfterMs = waitOf(headers);
  if (status === 429)
    return new ModelError('rate-limited', `it asks to wait (429): ${said}`, { retryAfterMs });
  if (status >= 500 || status === 408)
    return new ModelError('server-error', `it failed (${status}): ${said}`, { retryAfterMs });
  return new ModelError('refused', `it refuses the request (${status}): ${said}`);
}

function waitOf(headers: Readonly<Record<string, string>>): number | undefined {
  const value = headers['retry-after'];
  if (value === undefined) return undefined;
  const ms = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(ms) ? Math.min(Math.max(ms, 0), longestWait) : undefined;
}

/** The server's own words, short and without what a terminal would obey. */
function saidBy(chain: readonly Error[]): string {
  const said = chain.map(({ message }) => message).find((message) => message !== '') ?? 'no reason given';
  return said.replace(/[\p{Cc}\p{Cf}]+/gu, ' ').slice(0, 300);
}

function causes(error: unknown): Error[] {
  const chain: Error[] = [];
  let current = error;
  while (current instanceof Error && chain.length < 8) {
    chain.push(current);
    current = current.cause;
  }
  if (chain.length === 0) chain.push(new Error(typeof error === 'string' ? error : JSON.stringify(error)));
  return chain;
}
