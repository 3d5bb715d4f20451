import type { Reason } from '#shared/model/plan.ts';

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
