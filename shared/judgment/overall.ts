import { lookupName } from '../lens/names.ts';
import type { Severity } from '../model/diagnostic.ts';
import type { JudgmentRule, Verdict, VerdictOutcome } from '../model/verdict.ts';

/** What all verdicts about one result come to. A result that nobody could judge is neither good nor bad. */
export interface Overall {
  readonly outcome: 'passed' | 'failed' | 'not-judged';
  /** How sure the judges are of the result, 0 to 1; undefined where nobody with a say has judged. */
  readonly confidence: number | undefined;
  /** The share of personas that can use the result; undefined where none was asked. */
  readonly agreement: number | undefined;
  /** What keeps it from passing, one sentence each; empty where it passes. */
  readonly why: readonly string[];
}

/** What counts of a verdict: a person's word, where there is one. */
export function outcomeOf({ outcome, override }: Verdict): VerdictOutcome {
  return override?.outcome ?? outcome;
}

/**
 * Whether verdicts let a result pass: nobody whose word is an error says no or broke, every required judge says yes, and
 * confidence and agreement reach the least that is wanted. A judge that broke is never a yes.
 */
export function overall(verdicts: readonly Verdict[], rule: JudgmentRule): Overall {
  const mustPass = new Set(rule.required.map(lookupName));
  const isRequired = ({ judge }: Verdict): boolean => mustPass.has(lookupName(judge));
  const against = verdicts.filter((verdict) => {
    const outcome = outcomeOf(verdict);
    const isNo = outcome === 'fail' || outcome === 'error';
    return isNo && (verdict.severity === 'error' || isRequired(verdict));
  });
  const confidence = confidenceIn(verdicts);
  const agreement = agreementIn(verdicts);
  const why = against.map((verdict) => sentenceAgainst(verdict, isRequired(verdict)));
  if (confidence !== undefined && confidence < rule.minConfidence) {
    why.push(`confidence is ${shareText(confidence)}, and ${shareText(rule.minConfidence)} is wanted`);
  }
  if (agreement !== undefined && agreement < rule.personaAgreement) {
    why.push(`${shareText(agreement)} of the personas agree, and ${shareText(rule.personaAgreement)} must`);
  }
  if (why.length > 0) return { outcome: 'failed', confidence, agreement, why };
  const unasked = verdicts.filter((verdict) => !isSaid(verdict) && isRequired(verdict));
  const hasNone = verdicts.length > 0 && !verdicts.some(isSaid);
  const open = (hasNone ? verdicts : unasked).map(({ judge }) => `"${judge}" has not judged it`);
  return { outcome: open.length > 0 ? 'not-judged' : 'passed', confidence, agreement, why: open };
}

const weights: Readonly<Record<Severity, number>> = { error: 1, warning: 0.5, info: 0 };

/** The mean of what the verdicts say for the result, by their weight; undefined where none has any. */
export function confidenceIn(verdicts: readonly Verdict[]): number | undefined {
  let weight = 0;
  let sum = 0;
  for (const verdict of verdicts) {
    if (!isSaid(verdict)) continue;
    const share = weights[verdict.severity];
    const sure = verdict.override ? 1 : (verdict.confidence ?? 1);
    weight += share;
    sum += share * (outcomeOf(verdict) === 'pass' ? sure : 1 - sure);
  }
  return weight === 0 ? undefined : sum / weight;
}

/** A persona that broke has not agreed; one that could not be asked has no say. */
function agreementIn(verdicts: readonly Verdict[]): number | undefined {
  const asked = verdicts.filter(
    (verdict) => verdict.kind === 'persona' && outcomeOf(verdict) !== 'not-judged',
  );
  if (asked.length === 0) return undefined;
  return asked.filter((verdict) => outcomeOf(verdict) === 'pass').length / asked.length;
}

/** Whether somebody said yes or no. */
function isSaid(verdict: Verdict): boolean {
  const outcome = outcomeOf(verdict);
  return outcome === 'pass' || outcome === 'fail';
}

function sentenceAgainst({ judge, outcome, message, override }: Verdict, isRequired: boolean): string {
  const who = `${isRequired ? 'required ' : ''}"${judge}"`;
  if (override) return `a person says no for ${who}: ${override.note}`;
  return outcome === 'error' ? `${who} broke: ${message}` : `${who} says no: ${message}`;
}

/** A share for people: `0.85`; cut, so that what is too little never looks like enough. */
export function shareText(share: number): string {
  return (Math.floor(share * 100 + 1e-9) / 100).toFixed(2);
}
