import { StudioError } from '#shared/errors.ts';
import { lookupName } from '#shared/lens/names.ts';
import type { RunEvent } from '#shared/model/event.ts';
import type { RunRecord, StepRecord } from '#shared/model/run.ts';
import type { Verdict, VerdictOverride } from '#shared/model/verdict.ts';

/** What a person says in place of a judge; null takes it back. */
export interface OverrideRequest {
  readonly skill: string;
  readonly judge: string;
  readonly outcome: VerdictOverride['outcome'] | null;
  readonly note: string;
}

/** The verdict that is meant; refuses a skill or a judge that the run does not have. */
export function findVerdict(
  { runId, steps }: RunRecord,
  { skill, judge }: Pick<OverrideRequest, 'skill' | 'judge'>,
): { readonly step: StepRecord; readonly verdict: Verdict } {
  const step = steps.find((other) => other.skill === skill || other.id === skill);
  if (!step)
    throw new StudioError('graph.unknown-skill', `Cannot find "${skill}" in run "${runId}"`, { skill });
  const verdict = step.verdicts.find((other) => lookupName(other.judge) === lookupName(judge));
  if (verdict) return { step, verdict };
  const names = step.verdicts.map((other) => `"${other.judge}"`).join(', ');
  throw new StudioError(
    'run.unknown-judge',
    `Cannot find a verdict of "${judge}" about "${skill}": ${names === '' ? 'nobody judged it' : `there are ${names}`}`,
    { skill, judge },
  );
}

/** The override that a request asks for; refuses one that says nothing for itself. */
export function overrideFrom({ outcome, note }: OverrideRequest, at: number): VerdictOverride | null {
  if (outcome === null) return null;
  const said = note.trim();
  if (said !== '') return { outcome, note: said, at };
  throw new StudioError('run.note-missing', 'Cannot override a verdict without a note: say why');
}

/** A verdict with a person's word beside it, or without. */
export function overridden(verdict: Verdict, override: VerdictOverride | null): Verdict {
  const { override: _before, ...own } = verdict;
  return override ? { ...own, override } : own;
}

/** What a run is told of an override. */
export type ToldOverride = Pick<
  Extract<RunEvent, { type: 'verdict_overridden' }>,
  'skill_name' | 'judge' | 'override'
>;

/** A step with what a person said about one of its verdicts. */
export function withOverride(step: StepRecord, { judge, override }: ToldOverride): StepRecord {
  const verdicts = step.verdicts.map((verdict) =>
    verdict.judge === judge ? overridden(verdict, override) : verdict,
  );
  return { ...step, verdicts };
}
