import type { ModelCost } from './model/models.ts';
import { countText } from './quantities.ts';

/** `fake: 1234 tokens in 3 calls, $0.0123`; nothing is said of a price that nobody knows. */
export function costText({ name, usage, calls, dollars }: ModelCost): string {
  const tokens = usage.inputTokens + usage.outputTokens;
  const price = dollars === undefined ? '' : `, ${dollarText(dollars)}`;
  return `${name}: ${countText(tokens, 'token')} in ${countText(calls, 'call')}${price}`;
}

/** What all of these cost together: tokens, and dollars where every price is known. */
export function totalText(costs: readonly ModelCost[]): string | undefined {
  if (costs.length === 0) return undefined;
  const tokens = costs.reduce((sum, { usage }) => sum + usage.inputTokens + usage.outputTokens, 0);
  const isPriced = costs.every(({ dollars }) => dollars !== undefined);
  const dollars = costs.reduce((sum, cost) => sum + (cost.dollars ?? 0), 0);
  return `${countText(tokens, 'token')}${isPriced ? ` (${dollarText(dollars)})` : ''}`;
}

/** What the models of these steps cost, those that judged by themselves: `72 tokens ($0.1000), 30 tokens to judge`. */
export function spentText(steps: readonly Spent[]): string | undefined {
  const work = totalText(steps.flatMap(({ model }) => model ?? []));
  const judging = totalText(steps.flatMap(({ judging: cost }) => cost ?? []));
  const parts = [work, judging && `${judging} to judge`].filter((part) => part !== undefined);
  return parts.length === 0 ? undefined : parts.join(', ');
}

/** What one step spent on models, a line for each kind of work. */
export function spentLines({ model, judging }: Spent): string[] {
  return [...(model ? [costText(model)] : []), ...(judging ? [`judged by ${costText(judging)}`] : [])];
}

/** A step as far as it asked models. */
interface Spent {
  readonly model?: ModelCost | undefined;
  readonly judging?: ModelCost | undefined;
}

function dollarText(dollars: number): string {
  return `$${dollars >= 1 ? dollars.toFixed(2) : dollars.toFixed(4)}`;
}
