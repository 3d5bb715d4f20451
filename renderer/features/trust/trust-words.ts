import { scriptMemoryBytes } from '#shared/model/limits.ts';
import type { TrustLevel } from '#shared/model/skill.ts';
import type { TrustCard } from '#shared/model/trust.ts';

export const levelTitles: Readonly<Record<TrustLevel, string>> = {
  full: 'full',
  sandboxed: 'in the sandbox',
  none: 'scripts do not run',
};

type Facts = readonly (readonly [title: string, value: string])[];

/** What the scripts of a skill may do at the level it has now. */
export function mayDo({
  level,
  sees,
  timeoutSeconds,
}: Pick<TrustCard, 'level' | 'sees' | 'timeoutSeconds'>): Facts {
  const trust = ['trust', levelTitles[level]] as const;
  const time = ['limits', `${timeoutSeconds} s · ${scriptMemoryBytes / 1024 / 1024} MB`] as const;
  switch (level) {
    case 'none':
      return [trust];
    // Nothing runs outside the sandbox yet, whatever the user agreed to.
    case 'full':
    case 'sandboxed':
      return [['sees', seesText(sees)], ['writes', 'proposals only'], ['network', 'none'], time, trust];
  }
}

/** The files of the workspace that a skill is shown. */
export function seesText(globs: readonly string[] | null): string {
  if (globs === null) return 'the workspace';
  return globs.length === 0 ? 'no files' : globs.join(', ');
}

/** Why the user may want to read this skill; undefined where nothing is open. */
export function question({ name, origin, level, canAskFor, changedSince }: TrustCard): string | undefined {
  if (canAskFor === undefined) return undefined;
  const now = level === 'none' ? 'do not run' : 'run in the sandbox';
  const until = `Until you agree, its scripts ${now}.`;
  if (changedSince) return `“${name}” changed since you trusted it on ${dayText(changedSince.at)}. ${until}`;
  if (origin === 'fetched' && level === 'none') return `“${name}” was fetched from elsewhere. ${until}`;
  return `“${name}” asks for ${canAskFor === 'full' ? 'full trust' : 'trust'}. ${until}`;
}

export function dayText(at: string): string {
  return new Date(at).toLocaleDateString(undefined, { dateStyle: 'medium' });
}
