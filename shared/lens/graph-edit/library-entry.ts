import type { LibrarySkill, LibrarySkillDetail } from '../../model/library-skill.ts';
import type { NewEntry } from '../edit/lens-edits.ts';
import type { Plain } from '../edit/tree.ts';
import { libraryText } from './reference-text.ts';
import type { ReferredSkill } from './reference-text.ts';

/** A library's skill as a file writes it: with its library in front, or bare where the file is the library. */
export function referenceText(skill: ReferredSkill, file: string): string | undefined {
  if (skill.origin.file === file) return skill.name;
  const library = libraryText(skill, file);
  return library === undefined ? undefined : `${library}:${skill.name}`;
}

/** The entry that uses a library's skill as it is there; with more dependencies than it has where they are given. */
export function referenceEntry(
  skill: LibrarySkill | LibrarySkillDetail,
  file: string,
  dependsOn: readonly string[] = [],
): NewEntry | undefined {
  const source = referenceText(skill, file);
  if (source === undefined) return undefined;
  const own = 'dependsOn' in skill ? ownReferences(skill, file) : [];
  const all = dependsOn.length > 0 ? [...own, ...dependsOn] : [];
  return { name: skill.name, source, ...(all.length > 0 && { depends_on: all }) };
}

/** The entry that is a library's skill from now on its own; what it depends on stays in the library. */
export function copiedEntry(detail: LibrarySkillDetail, file: string): NewEntry {
  const { name, description, ...rest } = detail.entry as Record<string, Plain>;
  const dependsOn = ownReferences(detail, file);
  return {
    ...(name !== undefined && { name }),
    ...(description !== undefined && { description }),
    ...(dependsOn.length > 0 && { depends_on: dependsOn }),
    ...rest,
  };
}

function ownReferences({ dependsOn }: LibrarySkillDetail, file: string): string[] {
  return dependsOn.flatMap((skill) => referenceText(skill, file) ?? []);
}
