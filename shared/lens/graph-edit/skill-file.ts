import type { Lens } from '../../model/lens.ts';
import type { Skill } from '../../model/skill.ts';
import { lookupSkillName } from '../names.ts';
import { readLens } from '../read/lens.ts';
import { readLibrary } from '../read/library.ts';
import type { YamlSource } from '../yaml/source.ts';

/** A lens or library as edits of its skills see it. */
export interface SkillFile {
  readonly source: YamlSource;
  readonly skills: readonly Skill[];
  /** Undefined for a library. */
  readonly lens: Lens | undefined;
}

/** Says whether a file is a lens by its name; every other file of skills is a library. */
export function isLensFile(file: string): boolean {
  return /\.lens(\.ya?ml)?$/.test(file);
}

/** Reads a lens or library, as far as it can be read. */
export function openSkillFile(file: string, text: string): SkillFile {
  if (!isLensFile(file)) {
    const { value, source } = readLibrary(text, file);
    return { source, skills: value.skills, lens: undefined };
  }
  const { value, source } = readLens(text, file);
  return { source, skills: value.skills, lens: value };
}

/** The entry that a name means in this very file; of two with one name the later counts, as when resolving. */
export function entryNamed({ skills }: SkillFile, name: string): Skill | undefined {
  const wanted = lookupSkillName(name);
  return skills.findLast((skill) => lookupSkillName(skill.name) === wanted);
}
