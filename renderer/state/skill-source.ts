import type { Location } from '#shared/model/diagnostic.ts';
import type { ResolvedGraphSkill } from '#shared/model/graph-document.ts';

/** Where a skill comes from that the open file did not bring by itself, in a few words. */
export interface SkillSource {
  readonly kind: 'builtin' | 'fount' | 'agent-skill' | 'library' | 'inherited' | 'override';
  readonly text: string;
}

/** Undefined for a skill of the file's own that replaces nothing. */
export function sourceOf(skill: ResolvedGraphSkill, file: string): SkillSource | undefined {
  const { origin, overrides } = skill;
  switch (skill.source) {
    case 'builtin':
      return { kind: 'builtin', text: 'built-in' };
    case 'fount':
      return { kind: 'fount', text: fountOf(origin.file) };
    case 'agent-skill':
      return { kind: 'agent-skill', text: 'Agent Skill' };
    default:
  }
  if (origin.file !== file) {
    const isLens = /\.lens(\.ya?ml)?$/.test(origin.file);
    return isLens
      ? { kind: 'inherited', text: `from ${fileName(origin.file)}` }
      : { kind: 'library', text: fileName(origin.file) };
  }
  return overrides ? { kind: 'override', text: `overrides ${fileName(overrides.file)}` } : undefined;
}

/** A place as people write it: the file's last part and the line. */
export function placeText({ file, line }: Location): string {
  return `${fileName(file)}:${line}`;
}

export function fileName(file: string): string {
  return file.slice(file.lastIndexOf('/') + 1);
}

/** The package in `fount://@scope/name@1.2.0/skills/x.yaml`. */
function fountOf(file: string): string {
  return /^fount:\/\/((?:@[^/]+\/)?[^/]+)/.exec(file)?.[1] ?? 'fount';
}
