import { unreachable } from '#shared/errors.ts';
import { outcomeOf } from '#shared/judgment/overall.ts';
import type { Reason, ReasonId, ResultOrigin } from '#shared/model/plan.ts';
import type { Verdict } from '#shared/model/verdict.ts';
import { agoText, countText, durationText } from '#shared/quantities.ts';
import { contentOfSeen } from '#shared/seen-file.ts';
import type { FingerprintDifference } from '../fingerprint/compare-fingerprints.ts';
import type { RefusedParameter } from './parameter-values.ts';

/** From what a person did to what a machine is; a reason that stands first is the one that lists show. */
const bySpecificity: readonly ReasonId[] = [
  'script-changed',
  'instructions-changed',
  'template-changed',
  'resource-changed',
  'input-changed',
  'file-changed',
  'upstream-changed',
  'task-changed',
  'definition-changed',
  'model-changed',
  'lens-changed',
  'trust-changed',
  'interpreter-changed',
];

/** The reasons that two fingerprints give, the most telling first; `linesOf` counts changed lines where both texts are kept. */
export function changeReasons(
  differences: readonly FingerprintDifference[],
  linesOf: (difference: FingerprintDifference) => number | undefined,
): Reason[] {
  return differences
    .map(({ reason, subject, before, after }): Reason => {
      const difference = { reason, subject, before, after } as FingerprintDifference;
      return {
        id: reason,
        subject,
        sentence: changeSentence(difference, linesOf(difference)),
        ...(before !== undefined && { before }),
        ...(after !== undefined && { after }),
      };
    })
    .sort((a, b) => bySpecificity.indexOf(a.id) - bySpecificity.indexOf(b.id));
}

function changeSentence(difference: FingerprintDifference, lines: number | undefined): string {
  const { reason, subject, before, after } = difference;
  const told = (what: string, extent = ''): string => {
    if (before === undefined && after !== undefined) return `${what} is new`;
    if (after === undefined && before !== undefined) return `${what} is gone`;
    return `${what} changed${extent}`;
  };
  const fromTo = (what: string): string =>
    before === undefined || after === undefined ? told(what) : `${what} is ${after} now, was ${before}`;
  const extent = lines === undefined ? '' : ` (${countText(lines, 'line')})`;
  switch (reason) {
    case 'script-changed':
    case 'template-changed':
    case 'resource-changed': {
      const what = reason.replace('-changed', '');
      const isOrder = subject === 'order' && before?.startsWith('[') === true;
      return isOrder ? `${what}s stand in another order` : told(`${what} ${subject}`, extent);
    }
    case 'instructions-changed':
      return told('instructions', extent);
    case 'input-changed':
      return told(`input "${subject}"`);
    case 'file-changed':
      if (subject === '') return 'files it can see changed';
      if (subject.startsWith('and ')) return `${subject} files changed`;
      return told(`file ${subject}`, isOtherModeOnly(before, after) ? ': whether it can be started' : extent);
    case 'upstream-changed':
      return told(`the result of "${subject}"`);
    case 'task-changed':
      return told('the task');
    case 'definition-changed':
      if (subject === 'engine') return 'the studio runs scripts in another way now';
      return /^\d+$/.test(before ?? '') && /^\d+$/.test(after ?? '')
        ? fromTo(`limit ${subject}`)
        : told(subject);
    case 'model-changed':
      return told('the model');
    case 'lens-changed':
      return 'what the lens tells the model changed';
    case 'interpreter-changed':
      return fromTo(subject);
    case 'trust-changed':
      return fromTo('trust');
    case 'cached':
    case 'no-entry':
    case 'upstream-runs':
    case 'last-failed':
    case 'evicted':
    case 'forced':
    case 'cache-off':
    case 'validator-changed':
    case 'not-judged':
    case 'needs-input':
    case 'problem':
      throw new Error(`"${reason}" is not a difference of two fingerprints`);
    default:
      return unreachable(reason);
  }
}

/** The same bytes, once with the right to start them as a program and once without. */
function isOtherModeOnly(before: string | undefined, after: string | undefined): boolean {
  return before !== undefined && after !== undefined && contentOfSeen(before) === contentOfSeen(after);
}

export function cachedReason({ runId, at, durationMs }: ResultOrigin, now: Date): Reason {
  const sentence = `from run ${runId}, ${agoText(at, now.getTime())}, took ${durationText(durationMs)}`;
  return { id: 'cached', subject: runId, sentence };
}

export function lastFailedReason(
  failure: { runId: string; at: number },
  now: Date,
  hasChanged: boolean,
): Reason {
  const since = hasChanged ? ', and changed since' : '';
  const sentence = `failed in a run ${agoText(failure.at, now.getTime())}${since}`;
  return { id: 'last-failed', subject: failure.runId, sentence };
}

export function upstreamRunsReason(label: string): Reason {
  return { id: 'upstream-runs', subject: label, sentence: `decided after ${label}` };
}

/** For a skill that would make the very same result as another one of this plan. */
export function twinRunsReason(label: string): Reason {
  return { id: 'upstream-runs', subject: label, sentence: `decided after ${label}, which does the same` };
}

export function needsInputReason(what: 'input' | 'parameter', name: string): Reason {
  return {
    id: 'needs-input',
    subject: name,
    sentence: `needs the ${what} "${name}": give it a value`,
  };
}

export function refusedParameterReason({ name, value, allowed }: RefusedParameter): Reason {
  const choices = allowed.map((choice) => JSON.stringify(choice)).join(', ');
  const sentence = `the parameter "${name}" cannot be ${JSON.stringify(value)}: give it one of ${choices}`;
  return { id: 'problem', subject: name, sentence };
}

/** For a judge that is new, or changed, or broke when it was asked about this result, or never was. */
export function validatorReason(name: string): Reason {
  return {
    id: 'validator-changed',
    subject: name,
    sentence: `${name} is new, changed, or gave no verdict on this result`,
  };
}

/** For a kept result whose kept verdicts do not let it pass. */
export function notPassedReason(verdicts: readonly Verdict[], why: readonly string[]): Reason {
  const against = verdicts.filter((verdict) => /fail|error/.test(outcomeOf(verdict)));
  const names = against.map(({ judge }) => judge).join(', ');
  const sentence =
    names === '' ? `its result did not pass: ${why.join('; ')}` : `its result did not pass ${names}`;
  return { id: 'last-failed', subject: names, sentence };
}

/** For a kept result that some of its judges could not be asked about. */
export function notJudgedReason(verdicts: readonly Verdict[]): Reason {
  const unasked = verdicts.filter((verdict) => outcomeOf(verdict) === 'not-judged');
  const names = unasked.map(({ judge }) => judge).join(', ');
  return { id: 'not-judged', subject: names, sentence: `not judged by ${names}: choose a model that judges` };
}

export function blockedByReason(label: string): Reason {
  return { id: 'problem', subject: label, sentence: `needs ${label}, which is blocked` };
}

export const plainReasons = {
  noEntry: { id: 'no-entry', subject: '', sentence: 'no kept result yet' },
  evicted: { id: 'evicted', subject: '', sentence: 'its result was dropped from the cache' },
  forced: { id: 'forced', subject: '', sentence: 'you asked for it to run' },
  runCacheOff: { id: 'cache-off', subject: '', sentence: 'the cache is off for this run' },
  skillCacheOff: { id: 'cache-off', subject: '', sentence: 'the skill says "cache: false"' },
} as const satisfies Record<string, Reason>;
