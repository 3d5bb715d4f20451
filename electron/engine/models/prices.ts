import type { ModelConfig } from '#shared/model/config.ts';
import type { ModelUsage } from '#shared/model/models.ts';

/** US dollars for a million tokens. */
export interface Price {
  readonly input: number;
  readonly output: number;
}

/**
 * List prices as of 2026-06-01, by how the provider's name for a model begins; the longest beginning counts. Prices change:
 * `params: {price: {input, output}}` of a model comes before this table, and what is not in it has no price.
 */
const listed: Readonly<Record<string, Readonly<Record<string, Price>>>> = {
  anthropic: {
    'claude-opus-4': { input: 15, output: 75 },
    'claude-opus-4-5': { input: 5, output: 25 },
    'claude-sonnet-4': { input: 3, output: 15 },
    'claude-haiku-4-5': { input: 1, output: 5 },
    'claude-3-5-haiku': { input: 0.8, output: 4 },
  },
  openai: {
    'gpt-5': { input: 1.25, output: 10 },
    'gpt-5-mini': { input: 0.25, output: 2 },
    'gpt-5-nano': { input: 0.05, output: 0.4 },
    'gpt-4.1': { input: 2, output: 8 },
    'gpt-4.1-mini': { input: 0.4, output: 1.6 },
    'gpt-4o': { input: 2.5, output: 10 },
    'gpt-4o-mini': { input: 0.15, output: 0.6 },
  },
  google: {
    'gemini-2.5-pro': { input: 1.25, output: 10 },
    'gemini-2.5-flash': { input: 0.3, output: 2.5 },
    'gemini-2.5-flash-lite': { input: 0.1, output: 0.4 },
  },
};

/** What a model costs: as its owner says, else as it is listed; undefined where nobody knows. */
export function priceOf({ provider, model, baseUrl, params }: ModelConfig): Price | undefined {
  const own = params['price'];
  if (isPrice(own)) return { input: own.input, output: own.output };
  // Another server under the same name sets its own prices.
  if (baseUrl !== undefined || model === undefined) return undefined;
  const prices = listed[provider] ?? {};
  const [beginning] = Object.keys(prices)
    .filter((name) => model === name || model.startsWith(`${name}-`))
    .sort((a, b) => b.length - a.length);
  return beginning === undefined ? undefined : prices[beginning];
}

/** What tokens cost, in US dollars. */
export function dollarsFor({ inputTokens, outputTokens }: ModelUsage, price: Price): number {
  return (inputTokens * price.input + outputTokens * price.output) / 1_000_000;
}

/** By hand: every run loads this, and what makes schemas takes longer to load than all the rest. */
function isPrice(value: unknown): value is Price {
  if (typeof value !== 'object' || value === null) return false;
  const { input, output } = value as Partial<Record<string, unknown>>;
  return [input, output].every((each) => typeof each === 'number' && Number.isFinite(each) && each >= 0);
}
