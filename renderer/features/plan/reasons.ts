import type { PlanStep, Reason } from '#shared/model/plan.ts';
import { agoText, durationText } from '#shared/quantities.ts';

const withTexts: ReadonlySet<Reason['id']> = new Set([
  'instructions-changed',
  'script-changed',
  'template-changed',
  'resource-changed',
  'definition-changed',
  'input-changed',
  'file-changed',
  'task-changed',
  'validator-changed',
  'lens-changed',
]);

/** Whether there are two sides to show. */
export function hasDifference({ id, before, after }: Reason): boolean {
  return withTexts.has(id) && (before !== undefined || after !== undefined);
}

/** The reason as the page says it: of a kept result people want to know its age, not the id of its run. */
export function reasonText({ from }: Pick<PlanStep, 'from'>, { id, sentence }: Reason): string {
  if (id !== 'cached' || !from) return sentence;
  return `nothing changed since the run ${agoText(from.at, Date.now())}, took ${durationText(from.durationMs)}`;
}
