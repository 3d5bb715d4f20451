import type { Decision, Plan, PlanStep, Reason } from '#shared/model/plan.ts';
import { countText, durationText } from '#shared/quantities.ts';
import { timeOfRun } from '#shared/run-time.ts';
import { columns } from './table.ts';
import { inert } from './terminal.ts';

/** How decisions are called in a column. */
export const decisionWords: Readonly<Record<Decision, string>> = {
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
    decisions.map((step) => [decisionWords[step.decision].padEnd(4), step.skill.padEnd(13), whyLine(step)]),
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

function whyLine({ reasons }: PlanStep): string {
  const [first, ...others] = reasons;
  const sentence = reasonText(first!);
  return others.length === 0 ? sentence : `${sentence}, and ${countText(others.length, 'more reason')}`;
}

/** A reason with how to do on the command line what it asks for, or where to read more. */
export function reasonText({ id, subject, sentence }: Reason): string {
  if (id === 'needs-input') return `${sentence} with --input or --input-file`;
  if (id === 'problem' && subject === 'model')
    return `${sentence} in config.yaml, or use --manual or --replay FILE`;
  const isOfRun = id === 'last-failed' && timeOfRun(subject) !== undefined;
  return isOfRun ? `${sentence}, see "sunwell run show ${subject}"` : sentence;
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
