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
import type { JudgmentRule, Verdict } from '#shared/model/verdict.ts';
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
      /** What the lens takes for good and bad signs in any result. */
      readonly signals: { readonly good: readonly string[]; readonly bad: readonly string[] };
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
  readonly rule: JudgmentRule;
}

/** The lens of a skill, and the one that judges in its place where there is one. */
export interface Judging {
  readonly lens: MergedLens | undefined;
  readonly judgedBy?: MergedLens | undefined;
}

/**
 * The judges that a skill asks for, else those that the lens requires of every result; none without a lens. A lens that
 * judges in place of the skill's own knows nothing of whom the skill asks for: it judges by those it requires, else by all.
 * It judges what no skill made, too.
 */
export function judgmentOf({ lens: own, judgedBy }: Judging, node: ResolvedSkill | undefined): Judgment {
  const lens = judgedBy ?? own;
  const validateWith = judgedBy ? undefined : node?.skill.validateWith;
  const policy = lens?.qualityPolicy;
  const required = (policy?.requiredValidators ?? []).map(({ name }) => name);
  const names =
    judgedBy && required.length === 0 ? validatorsOf(judgedBy) : (validateWith?.validators ?? required);
  const judges = lens
    ? [
        ...names.map((name) => validatorNamed(lens, name)),
        ...(validateWith?.personas ?? []).map((name) => personaNamed(lens, name)),
      ]
    : [];
  const { minConfidence, personaAgreement } = qualityPolicyDefaults;
  return {
    judges,
    rule: {
      minConfidence: validateWith?.minConfidence ?? policy?.minConfidence ?? minConfidence,
      personaAgreement: policy?.personaAgreement ?? personaAgreement,
      required,
    },
  };
}

/** Whether anybody judges the results of a skill; reads no file. */
export function isJudged({ lens, judgedBy }: Judging, { skill }: ResolvedSkill): boolean {
  if (judgedBy) return true;
  const { validators, personas = [] } = skill.validateWith ?? {};
  const names = validators ?? lens?.qualityPolicy.requiredValidators ?? [];
  return lens !== undefined && names.length + personas.length > 0;
}

/** The names of everybody who can judge any result. */
export function validatorsOf({ validators }: MergedLens): string[] {
  return [...validators.deterministic, ...validators.heuristic].map(({ value }) => value.name);
}

/** Whether one of the judges of a skill asks a model; reads no file. */
export function isJudgedByModel({ lens, judgedBy }: Judging, { skill }: ResolvedSkill): boolean {
  // Whom it asks is not worked out here: a model that is not needed is not asked.
  if (judgedBy) return judgedBy.validators.heuristic.length > 0;
  const { validators, personas } = skill.validateWith ?? {};
  if (!lens || lens.validators.heuristic.length + lens.personas.length === 0) return false;
  if (personas && personas.length > 0) return true;
  const names = validators ?? (lens.qualityPolicy.requiredValidators ?? []).map(({ name }) => name);
  return names.some((name) =>
    lens.validators.heuristic.some(({ value }) => lookupName(value.name) === lookupName(name)),
  );
}

/** Which model judges, as far as that may change what it says. */
export interface JudgeModel {
  readonly record: object;
}

/**
 * What the verdict of one judge about one result is kept under: both as they are, for judges that need one the model too,
 * and nothing else that could change it. What verdicts come to is worked out anew each time, so that no rule is in it.
 */
export function judgeKey(resultDigest: Digest, judge: Judge, model?: JudgeModel): Digest {
  const asked = needsModel(judge) ? { model: model?.record ?? null } : {};
  return valueDigest({ judging: judgingVersion, resultDigest, judge: judgeRecord(judge), ...asked });
}

/** A new one makes every verdict a miss. */
const judgingVersion = 3;

export function needsModel({ kind }: Judge): boolean {
  return kind === 'heuristic' || kind === 'persona';
}

/** A kept verdict that still counts: one that says yes or no, or a person's word. */
export function keptVerdict(kept: readonly Verdict[] | undefined): Verdict | undefined {
  const verdict = kept?.[0];
  const isSaid = verdict?.outcome === 'pass' || verdict?.outcome === 'fail';
  return isSaid || verdict?.override ? verdict : undefined;
}

/** The verdict of a judge that cannot be asked at all; undefined for those that can. */
export function verdictUnasked(judge: Judge, hasModel: boolean): Verdict | undefined {
  const { kind, name, severity } = judge;
  switch (kind) {
    case 'deterministic':
      return undefined;
    case 'heuristic':
    case 'persona':
      return hasModel
        ? undefined
        : { judge: name, kind, severity, outcome: 'not-judged', message: 'Needs a model to judge' };
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

function validatorNamed({ validators, qualityPolicy }: MergedLens, name: string): Judge {
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
    signals: {
      good: qualityPolicy.signalsOfQuality ?? [],
      bad: qualityPolicy.signalsOfProblems ?? [],
    },
  };
}

function personaNamed({ personas }: MergedLens, name: string): Judge {
  const persona = personas.find(({ value }) => lookupName(value.name) === lookupName(name))?.value;
  return persona
    ? { kind: 'persona', name: persona.name, severity: 'info', persona }
    : { kind: 'missing', name, severity: 'error' };
}

const severities: readonly Severity[] = ['error', 'warning', 'info'];

/** A severity outside the known ones is a warning in the file, and as strict as the default here. */
function severityOf(written: string | undefined, otherwise: Severity): Severity {
  return severities.find((severity) => severity === written) ?? otherwise;
}

/** What a judge is, without its place in the text. */
function judgeRecord(judge: Judge): object {
  const { kind, name, severity } = judge;
  switch (judge.kind) {
    case 'deterministic':
      return { kind, ...withoutPlace(judge.validator), name, severity, script: judge.script ?? null };
    case 'heuristic':
      return { kind, ...withoutPlace(judge.validator), name, severity, signals: judge.signals };
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
