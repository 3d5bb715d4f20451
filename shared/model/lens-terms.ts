export const validatorSeverities = ['error', 'warning', 'info'] as const;
export const validatorMethods = ['triangulation', 'pattern_match', 'checklist'] as const;
/** Keys by which a validator checks without a model. */
export const deterministicChecks = [
  'command',
  'script',
  'contains',
  'not_contains',
  'matches',
  'max_words',
  'json_schema',
] as const;
/** Keys by which a validator asks a judge. */
export const heuristicChecks = ['prompt', 'check'] as const;

/** Whether a validator in a list of both kinds asks a judge: its keys say so. */
export function asksJudge(hasKey: (key: string) => boolean): boolean {
  return !deterministicChecks.some(hasKey) && [...heuristicChecks, 'method'].some(hasKey);
}

export const successConditions = ['exit-zero', 'exit-nonzero', 'output-empty', 'pattern'] as const;
export const retryCauses = ['timeout', 'validation_failure', 'script_failure', 'security_violation'] as const;

/** Sections of a lens that are kept and shown but mean nothing to the studio. */
export const opaqueLensKeys = [
  'refiners',
  'provenance',
  'knowledge_sources',
  'spellbook',
  'affordances',
  'tool_profile',
  'schema_validators',
  'schema_extensions',
] as const;
