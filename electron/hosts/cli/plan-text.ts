import type { PlanStep, Reason, ReasonDifference } from '#shared/model/plan.ts';
import { decisionWords, reasonText } from './plan-lines.ts';
import { inert } from './terminal.ts';
import { textDiff } from './text-diff.ts';

/** Everything behind one decision: each reason, and what changed in its text where both sides are kept. */
export function whyLines(
  step: PlanStep,
  differences: readonly { readonly reason: Reason; readonly difference: ReasonDifference }[],
): string[] {
  const lines = [inert(`${decisionWords[step.decision]}  ${step.skill}`)];
  for (const { reason, difference } of differences) {
    lines.push(inert(`  ${reasonText(reason)}`));
    const diff = diffText(reason, difference);
    if (diff !== undefined) lines.push(diff.trimEnd());
  }
  return lines;
}

/** Undefined where a side that was there is not kept: half of a difference would look like a whole one. */
function diffText({ id, subject, before, after }: Reason, difference: ReasonDifference): string | undefined {
  const isLost = (side: string | undefined, text: string | null): boolean =>
    side !== undefined && text === null;
  if (before === undefined && after === undefined) return undefined;
  if (isLost(before, difference.before) || isLost(after, difference.after)) return undefined;
  const name = inert(subject === '' ? id.replace(/-changed$/, '') : subject);
  const bytes = (text: string | null): Uint8Array | undefined =>
    text === null ? undefined : Buffer.from(text);
  return textDiff(name, bytes(difference.before), bytes(difference.after));
}
