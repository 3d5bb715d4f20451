import type { PlanStep, Reason } from '#shared/model/plan.ts';
import { agoText, durationText } from '#shared/quantities.ts';
import { timeOfRun } from '#shared/run-time.ts';
import type { LensRun } from '#renderer/state/lens-run.svelte.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';

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

/** What is told of a reason to who looks closer: the id of the run that it is about, as "sunwell run show" takes it. */
export function reasonDetail({ id, subject }: Reason): string | undefined {
  const isAboutRun = (id === 'cached' || id === 'last-failed') && timeOfRun(subject) !== undefined;
  return isAboutRun ? `Run ${subject}` : undefined;
}

/** What the page can do at once about what keeps a skill from running. */
export interface Remedy {
  readonly title: string;
  readonly apply: () => void;
}

/** The ways out of a decision that the page has, each once. */
export function remediesOf(
  { reasons }: Pick<PlanStep, 'reasons'>,
  { studio, lensRun }: { studio: Pick<Studio, 'showSettings'>; lensRun: Pick<LensRun, 'askForInputs'> },
): Remedy[] {
  const isForModel = reasons.some(({ id, subject }) => id === 'problem' && subject === 'model');
  const isForInputs = reasons.some(({ id }) => id === 'needs-input');
  return [
    ...(isForModel ? [{ title: 'Set up a model…', apply: () => studio.showSettings('models') }] : []),
    ...(isForInputs ? [{ title: 'Give inputs…', apply: () => lensRun.askForInputs() }] : []),
  ];
}
