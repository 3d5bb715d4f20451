import { retryCauses, validatorMethods, validatorSeverities } from '../../model/lens-terms.ts';
import type { Path } from '../yaml/source.ts';

/** What the value at a path names. */
export type NamedAt =
  | 'skill-reference'
  | 'skill'
  | 'needed-key'
  | 'delivered-key'
  | 'validator'
  | 'persona'
  | 'preset'
  | 'lens'
  | 'library'
  | 'library-or-skill'
  | 'include'
  | 'tool'
  | 'file'
  | readonly string[];

const rules: readonly (readonly [RegExp, NamedAt])[] = [
  [/^skills\/depends_on(?:\/source)?$/, 'skill-reference'],
  [/^skills\/requires$/, 'needed-key'],
  [/^skills\/produces$/, 'delivered-key'],
  [/^skills\/source$/, 'library-or-skill'],
  [/^skills\/include$/, 'include'],
  [/^skills\/preset$/, 'preset'],
  [/^skills\/allowed[_-]tools$/, 'tool'],
  [/^skills\/validate_with\/validators$/, 'validator'],
  [/^skills\/validate_with\/personas$/, 'persona'],
  [/^skills\/(?:scripts|resources)\/path$/, 'file'],
  [/^(?:extends|compose)(?:\/lens)?$/, 'lens'],
  [/^skill_sources(?:\/source)?$/, 'library'],
  [/^(?:fixtures\/)?skill$/, 'skill'],
  [/^router\/shortcuts\/[^/]+$/, 'skill'],
  [/^workflows\/(?:.*\/)?(?:steps|parallel|skill)$/, 'skill'],
  [/^workflows\/(?:.*\/)?quality_gates$/, 'validator'],
  [/^quality_policy\/required_validators$/, 'validator'],
  [/^validators\/(?:(?:deterministic|heuristic)\/)?severity$/, validatorSeverities],
  [/^validators\/(?:heuristic\/)?method$/, validatorMethods],
  [/^skill_retry\/(?:retry_on|abort_on)$/, retryCauses],
];

/** What the value at a path names, apart from what the schema says; list indexes and the `lens:` wrapper do not matter. */
export function namedAt(path: Path): NamedAt | undefined {
  const names = path.filter((step) => typeof step === 'string');
  const joined = (names[0] === 'lens' ? names.slice(1) : names).join('/');
  return rules.find(([pattern]) => pattern.test(joined))?.[1];
}
