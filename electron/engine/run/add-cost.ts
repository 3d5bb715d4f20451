import type { ModelCost } from '#shared/model/models.ts';

/** Two costs as one; dollars only where both prices are known. The name is that of the later one. */
export function addCost(sum: ModelCost | undefined, cost: ModelCost): ModelCost {
  if (!sum) return cost;
  const { usage, calls, durationMs, dollars } = sum;
  const together = dollars === undefined || cost.dollars === undefined ? undefined : dollars + cost.dollars;
  return {
    name: cost.name,
    usage: {
      inputTokens: usage.inputTokens + cost.usage.inputTokens,
      outputTokens: usage.outputTokens + cost.usage.outputTokens,
    },
    calls: calls + cost.calls,
    durationMs: durationMs + cost.durationMs,
    ...(together !== undefined && { dollars: together }),
  };
}
