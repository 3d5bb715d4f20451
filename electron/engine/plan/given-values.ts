import { parameterNames } from '../fingerprint/variables.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';

type Values = Readonly<Record<string, unknown>>;

/** Values for skills: those they have parameters for, and those they require as context, with what none of them asks for. */
export interface GivenValues {
  readonly inputs: Values;
  readonly params: Values;
  /** Keys that no skill requires or has a parameter for. */
  readonly unused: readonly string[];
}

/** Tells inputs and parameters apart by what the skills declare; a value may be both. */
export function givenValues(
  skills: readonly ResolvedSkill[],
  values: Iterable<[string, unknown]>,
): GivenValues {
  const names = new Set(skills.flatMap(({ skill }) => parameterNames(skill.parametersSchema)));
  const required = new Set(skills.flatMap(({ skill }) => (skill.requires ?? []).map(({ key }) => key)));
  const all = [...values];
  return {
    inputs: Object.fromEntries(all.filter(([key]) => required.has(key) || !names.has(key))),
    params: Object.fromEntries(all.filter(([key]) => names.has(key))),
    unused: all.map(([key]) => key).filter((key) => !names.has(key) && !required.has(key)),
  };
}
