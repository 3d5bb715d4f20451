import { linesAgainst } from '#shared/judgment/verdict-words.ts';
import type { Refinement, StepFailure, StepRecord } from '#shared/model/run.ts';
import type { Judged } from '../judge/judge.ts';
import type { StepOutcome } from './step-parts.ts';
import type { StepError } from './step-result.ts';

/** For a result that its judges refuse. */
export function judgedFailure(skillName: string, { verdicts, overall: { why } }: Judged): StepFailure {
  const said = linesAgainst(verdicts);
  const message = `The result did not pass: ${(said.length > 0 ? said : why).join('; ')}`;
  return { phase: 'validate', skillName, message, recoverable: true };
}

/** For a step whose best result did not pass, and whose next attempt gave none. */
export function brokenRefinement(error: StepFailure, { attempts }: Refinement): StepFailure {
  const message = `No better result came of attempt ${attempts.length + 1}: ${error.message}`;
  return { ...error, phase: 'refine', message, recoverable: true };
}

/** Why there is no further attempt after one that ended like this. */
export function stopBy({ step: { state, error } }: StepOutcome): 'cancelled' | 'budget' | 'failed' {
  if (state === 'cancelled') return 'cancelled';
  return error?.details?.['kind'] === 'budget' ? 'budget' : 'failed';
}

/** A failure as records have it: what only some failures have stands among its details. */
export function stepFailure({ cause, missingKeys, kind, ...error }: StepError): StepFailure {
  const details = { cause, ...(missingKeys && { missingKeys }), ...(kind !== undefined && { kind }) };
  return { ...error, details };
}

/** What a model had written before it was stopped, marked so that nobody takes it for the whole. */
export function brokenOff(partial: string | undefined): Pick<StepRecord, 'content'> {
  return partial === undefined ? {} : { content: `${partial}\n\n[The answer broke off here]` };
}
