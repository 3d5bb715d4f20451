import { lookupName } from '#shared/lens/names.ts';
import type { Severity } from '#shared/model/diagnostic.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import {
  qualityPolicyDefaults,
  validatorDefaults,
  type DeterministicValidator,
  type HeuristicValidator,
  type Persona,
} from '#shared/model/lens.ts';
import type { Verdict } from '#shared/model/verdict.ts';
import type { MergedLens } from '../resolve/merge.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import { valueDigest } from '../store/digest.ts';
import { readJudgeScript, type JudgeScript } from './judge-script.ts';

/** One who judges a result; a name that the lens does not have stands for a judge that cannot be asked. */
export type Judge =
  | {
      readonly kind: 'deterministic';
      readonly name: string;
      readonly severity: Severity;
      readonly validator: DeterministicValidator;
      /** What `script` of the validator names. */
      readonly script?: JudgeScript;
    }
  | {
      readonly kind: 'heuristic';
      readonly name: string;
      readonly severity: Severity;
      readonly validator: HeuristicValidator;
    }
  | {
      readonly kind: 'persona';
      readonly name: string;
      readonly severity: Severity;
      readonly persona: Persona;
    }
  | { readonly kind: 'missing'; readonly name: string; readonly severity: Severity };

/** Who judges the results of one skill, and when they are good enough. */
export interface Judgment {
  readonly judges: readonly Judge[];
  readonly minConfidence: number;
  readonly required: readonly string[];
}

/** The judges that a skill asks for, else those that the lens requires of every result; none without a lens. */
export function judgmentOf(lens: MergedLens | undefined, { skill }: ResolvedSkill): Judgment {
  const { validateWith } = skill;
  const policy = lens?.qualityPolicy;
  const required = (policy?.requiredValidators ?? []).map(({ name }) => name);
  const names = validateWith?.validators ?? required;
  const judges = lens
    ? [
        ...names.map((name) => validatorNamed(lens, name)),
        ...(validateWith?.personas ?? []).map((name) => personaNamed(lens, name)),
      ]
    : [];
  return {
    judges,
    minConfidence:
      validateWith?.minConfidence ?? policy?.minConfidence ?? qualityPolicyDefaults.minConfidence,
    required,
  };
}

/** What the verdict of one judge about one result is kept under: both as they are, and nothing else that could change it. */
export function judgeKey(resultDigest: Digest, judge: Judge): Digest {
  return valueDigest({ judging: judgingVersion, resultDigest, judge: judgeRecord(judge) });
}

/** A new one makes every verdict a miss. */
const judgingVersion = 2;

/** The verdict of a judge that cannot be asked at all; undefined for those that can. */
export function verdictUnasked({ kind, name, severity }: Judge): Verdict | undefined {
  switch (kind) {
    case 'deterministic':
      return undefined;
    case 'heuristic':
    case 'persona':
      return { judge: name, kind, severity, outcome: 'not-judged', message: 'Needs a model to judge' };
    case 'missing':
      return {
        judge: name,
        kind: 'deterministic',
        severity,
        outcome: 'error',
        message: `The lens has no validator or persona "${name}"`,
      };
  }
}

/**
 * Whether verdicts let a result pass: nobody whose word is an error says no or broke, every required judge who could be
 * asked says yes, and confidence reaches the least that is wanted. Those who could not be asked have no say.
 */
export function passes(verdicts: readonly Verdict[], { minConfidence, required }: Judgment): boolean {
  const mustPass = new Set(required.map(lookupName));
  const isAgainst = ({ judge, outcome, severity }: Verdict): boolean =>
    (outcome === 'fail' || outcome === 'error') && (severity === 'error' || mustPass.has(lookupName(judge)));
  if (verdicts.some(isAgainst)) return false;
  const confidence = confidenceIn(verdicts);
  return confidence === undefined || confidence >= minConfidence;
}

const weights: Readonly<Record<Severity, number>> = { error: 1, warning: 0.5, info: 0 };

/** The mean of what the verdicts say for the result, by their weight; undefined where none has any. */
export function confidenceIn(verdicts: readonly Verdict[]): number | undefined {
  let weight = 0;
  let sum = 0;
  for (const { outcome, severity, confidence = 1 } of verdicts) {
    if (outcome !== 'pass' && outcome !== 'fail') continue;
    weight += weights[severity];
    sum += weights[severity] * (outcome === 'pass' ? confidence : 1 - confidence);
  }
  return weight === 0 ? undefined : sum / weight;
}

function validatorNamed({ validators }: MergedLens, name: string): Judge {
  const wanted = lookupName(name);
  const deterministic = validators.deterministic.find(({ value }) => lookupName(value.name) === wanted);
  if (deterministic) {
    const { value, source } = deterministic;
    return {
      kind: 'deterministic',
      name: value.name,
      severity: severityOf(value.severity, validatorDefaults.deterministicSeverity),
      validator: value,
      ...(value.script !== undefined && { script: readJudgeScript(source, value.script) }),
    };
  }
  const heuristic = validators.heuristic.find(({ value }) => lookupName(value.name) === wanted)?.value;
  if (!heuristic) return { kind: 'missing', name, severity: 'error' };
  return {
    kind: 'heuristic',
    name: heuristic.name,
    severity: severityOf(heuristic.severity, validatorDefaults.heuristicSeverity),
    validator: heuristic,
  };
}

function personaNamed({ personas }: MergedLens, name: string): Judge {
  const persona = personas.find(({ value }) => lookupName(value.name) === lookupName(name))?.value;
  return persona
    ? { kind: 'persona', name: persona.name, severity: 'info', persona }
    : { kind: 'missing', name, severity: 'error' };
}

/** A severity outside the known ones is a warning in the file, and as strict as the default here. */
function severityOf(written: string | undefined, otherwise: Severity): Severity {
  return written !== undefined && Object.hasOwn(weights, written) ? (written as Severity) : otherwise;
}

/** What a judge is, without its place in the text. */
function judgeRecord(judge: Judge): object {
  const { kind, name, severity } = judge;
  switch (judge.kind) {
    case 'deterministic':
      return { kind, ...withoutPlace(judge.validator), name, severity, script: judge.script ?? null };
    case 'heuristic':
      return { kind, ...withoutPlace(judge.validator), name, severity };
    case 'persona':
      return { kind, ...withoutPlace(judge.persona), name, severity };
    case 'missing':
      return { kind, name, severity };
  }
}

function withoutPlace<T extends { at: unknown; path: unknown; override?: unknown; extra?: unknown }>(
  item: T,
): object {
  const { at: _at, path: _path, override: _override, extra: _extra, ...rest } = item;
  return rest;
}
