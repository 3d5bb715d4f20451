import { relativePath, resolvePath } from '../language/file-paths.ts';
import { lookupSkillName } from '../names.ts';
import type { SkillReference } from '../reference.ts';
import type { ResolvedGraphSkill } from '../../model/graph-document.ts';

/** What a reference must know of the skill it means. */
export type ReferredSkill = Pick<ResolvedGraphSkill, 'id' | 'name' | 'source' | 'origin'>;

/** The library in front of a skill's name, as a file writes it; undefined for a skill of a lens, which has no such name. */
export function libraryText({ id, name, source, origin }: ReferredSkill, from: string): string | undefined {
  switch (source) {
    case 'builtin':
      return 'sunwell/common';
    case 'fount':
      return id.endsWith(`:${name}`) ? id.slice(0, -name.length - 1) : undefined;
    case 'agent-skill':
      return origin.file.endsWith('/SKILL.md')
        ? relativePath(from, origin.file.slice(0, -'/SKILL.md'.length))
        : undefined;
    case 'own':
      return /\.ya?ml$/.test(origin.file) && !/\.lens\.ya?ml$/.test(origin.file)
        ? relativePath(from, origin.file)
        : undefined;
  }
}

/** Says whether a reference written in a file means a skill; a bare name means one of the file's own scope. */
export function refersTo(reference: SkillReference, from: string, skill: ReferredSkill): boolean {
  if (lookupSkillName(reference.name) !== lookupSkillName(skill.name)) return false;
  const { library } = reference;
  if (!library) return true;
  switch (library.kind) {
    case 'builtin':
      return skill.source === 'builtin';
    case 'fount':
    case 'agentskills':
      return skill.source === 'fount' && skill.origin.file.startsWith(`fount://${library.package}@`);
    case 'path': {
      const path = resolvePath(from, library.path);
      const { file } = skill.origin;
      return path !== undefined && (path === '' || file === path || file.startsWith(path));
    }
  }
}
