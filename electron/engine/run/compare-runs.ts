import { outcomeWords } from '#shared/judgment/verdict-words.ts';
import type { Fingerprint } from '#shared/model/fingerprint.ts';
import type { RunComparison, RunRecord, StepComparison, StepRecord } from '#shared/model/run.ts';
import { compareFingerprints } from '../fingerprint/compare-fingerprints.ts';
import { changeReasons } from '../plan/reasons.ts';
import { valueText } from '../store/digest.ts';
import { summaryOf } from './step-record.ts';

type Difference = StepComparison['differences'][number];

/** What the cache still knows of a key: what went into the step. */
export type FingerprintOf = (
  cacheKey: string,
) => { readonly fingerprint: Fingerprint; readonly files: ReadonlyMap<string, string> } | undefined;

const longestValue = 200;
const unknownChange =
  'what goes into it changed: its scripts, instructions, inputs or files; which of them is known only of results that are kept';

/** Sets two runs side by side, skill by skill: what went in, what was decided, what came out. */
export function compareRuns(a: RunRecord, b: RunRecord, fingerprintOf: FingerprintOf): RunComparison {
  const inB = new Map(b.steps.map((step) => [step.id, step]));
  const ids = [...new Set([...a.steps, ...b.steps].map(({ id }) => id))];
  const inA = new Map(a.steps.map((step) => [step.id, step]));
  const steps = ids.map((id): StepComparison => {
    const [before, after] = [inA.get(id), inB.get(id)];
    return {
      skill: (after ?? before)!.skill,
      ...(before && { a: sideOf(before) }),
      ...(after && { b: sideOf(after) }),
      differences: before && after ? differencesOf(before, after, fingerprintOf) : [],
    };
  });
  return { a: summaryOf(a), b: summaryOf(b), steps };
}

function sideOf({ decision, state, durationMs }: StepRecord): NonNullable<StepComparison['a']> {
  return { decision, state, durationMs };
}

function differencesOf(a: StepRecord, b: StepRecord, fingerprintOf: FingerprintOf): Difference[] {
  return [
    ...definitions(a, b, fingerprintOf),
    ...values('decision', { '': a.decision }, { '': b.decision }),
    ...values('output', outputs(a), outputs(b)),
    ...values('artifact', artifacts(a), artifacts(b)),
    ...values('verdict', verdicts(a), verdicts(b)),
    ...values('error', errors(a), errors(b)),
  ];
}

/** Where the cache no longer has both fingerprints, all that can be said is that something that goes in differs. */
function definitions(a: StepRecord, b: StepRecord, fingerprintOf: FingerprintOf): Difference[] {
  if (a.cacheKey === undefined || b.cacheKey === undefined || a.cacheKey === b.cacheKey) return [];
  const [before, after] = [fingerprintOf(a.cacheKey), fingerprintOf(b.cacheKey)];
  if (!before || !after) {
    return [{ what: 'definition', subject: '', sentence: unknownChange }];
  }
  const files = { filesBefore: before.files, filesAfter: after.files };
  const differences = compareFingerprints(before.fingerprint, after.fingerprint, files);
  return changeReasons(differences, () => undefined).map(
    ({ id, subject, sentence, before: old, after: now }) => ({
      what: 'definition' as const,
      subject: subject === '' ? id : subject,
      sentence,
      ...(old !== undefined && { before: shortened(old) }),
      ...(now !== undefined && { after: shortened(now) }),
    }),
  );
}

/** What is in one list and not, or otherwise, in the other. */
function values(
  what: Difference['what'],
  before: Readonly<Record<string, string>>,
  after: Readonly<Record<string, string>>,
): Difference[] {
  const subjects = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  return subjects
    .filter((subject) => before[subject] !== after[subject])
    .map((subject) => ({
      what,
      subject,
      ...(before[subject] !== undefined && { before: shortened(before[subject]) }),
      ...(after[subject] !== undefined && { after: shortened(after[subject]) }),
    }));
}

function outputs({ outputs: produced = {}, content }: StepRecord): Record<string, string> {
  const texts = Object.entries(produced).map(([key, value]): [string, string] => [key, valueText(value)]);
  return Object.fromEntries(content === undefined ? texts : [['content', content], ...texts]);
}

function artifacts({ artifacts: proposed }: StepRecord): Record<string, string> {
  return Object.fromEntries(proposed.map(({ path, contentHash }) => [path, contentHash ?? 'deleted']));
}

function verdicts({ verdicts: said }: StepRecord): Record<string, string> {
  return Object.fromEntries(said.map((verdict) => [verdict.judge, verdictWord(verdict)]));
}

/** Without the figure: a judge that is a little less sure says the same. */
function verdictWord({ outcome, override }: StepRecord['verdicts'][number]): string {
  return override ? `${outcomeWords[override.outcome]} by a person: ${override.note}` : outcomeWords[outcome];
}

function errors({ error }: StepRecord): Record<string, string> {
  return error ? { [error.phase]: error.message } : {};
}

function shortened(text: string): string {
  return text.length <= longestValue ? text : `${text.slice(0, longestValue - 1)}…`;
}
