import type { TrustLevel } from '#shared/model/skill.ts';

/** Where a skill comes from: written by the user or lying in the workspace, or fetched from somebody else. */
export type SkillOrigin = 'own' | 'fetched';

const ranks: Readonly<Record<TrustLevel, number>> = { none: 0, sandboxed: 1, full: 2 };

/** What a skill is trusted with before the user was asked. */
export function defaultTrust(origin: SkillOrigin): TrustLevel {
  return origin === 'own' ? 'sandboxed' : 'none';
}

/** The lesser of two levels. */
export function lesserTrust(a: TrustLevel, b: TrustLevel): TrustLevel {
  return ranks[a] <= ranks[b] ? a : b;
}
