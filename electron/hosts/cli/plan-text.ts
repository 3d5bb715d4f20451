import type { Decision, Plan, PlanStep, Reason, ReasonDifference } from '#shared/model/plan.ts';
import { countText, durationText } from '#shared/quantities.ts';
import { columns } from './table.ts';
import { inert } from './terminal.ts';
import { textDiff } from './text-diff.ts';

const words: Readonly<Record<Decision, string>> = {
  run: 'run',
  skip: 'skip',
  rejudge: 'judge',
  undecided: '?',
  blocked: 'block',
};

/** A plan for people: a line for every skill under its wave, and what it comes to. */
export function planLines(plan: Plan): string[] {
  const { decisions, lensName } = plan;
  const waves = new Set(decisions.map(({ wave }) => wave));
  const rows = columns(
    decisions.map((step) => [words[step.decision].padEnd(4), step.skill.padEnd(13), whyLine(step)]),
  );
  const lines = [
    inert(`${lensName}: ${countText(decisions.length, 'skill')} in ${countText(waves.size, 'wave')}`),
  ];
  decisions.forEach(({ wave }, i) => {
    if (i === 0 || decisions[i - 1]!.wave !== wave) {
      lines.push('', wave < 0 ? 'In or behind a circle' : `Wave ${wave + 1}`);
    }
    lines.push(rows[i]!);
  });
  return [...lines, '', totalLine(plan)];
}

/** Everything behind one decision: each reason, and what changed in its text where both sides are kept. */
export function whyLines(
  step: PlanStep,
  differences: readonly { readonly reason: Reason; readonly difference: ReasonDifference }[],
): string[] {
  const lines = [inert(`${words[step.decision]}  ${step.skill}`)];
  for (const { reason, difference } of differences) {
    lines.push(inert(`  ${reason.sentence}`));
    const diff = diffText(reason, difference);
    if (diff !== undefined) lines.push(diff.trimEnd());
  }
  return lines;
}

function whyLine({ reasons }: PlanStep): string {
  const [first, ...others] = reasons;
  return others.length === 0
    ? first!.sentence
    : `${first!.sentence}, and ${countText(others.length, 'more reason')}`;
}

function totalLine({ decisions, skipPercentage, estimatedMs, savedMs }: Plan): string {
  const count = (decision: Decision): number => decisions.filter((step) => step.decision === decision).length;
  const parts = [
    `${count('run')} to run`,
    `${count('skip')} to skip`,
    ...(count('rejudge') > 0 ? [`${count('rejudge')} to judge again`] : []),
    ...(count('undecided') > 0 ? [`${count('undecided')} decided on the way`] : []),
    ...(count('blocked') > 0 ? [`${count('blocked')} blocked`] : []),
  ];
  const times = [
    `${Math.round(skipPercentage)} % skipped`,
    ...(savedMs > 0 ? [`saves ${durationText(savedMs)}`] : []),
    ...(estimatedMs > 0 ? [`takes about ${durationText(estimatedMs)}`] : []),
  ];
  return `${parts.join(', ')}: ${times.join(', ')}`;
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
