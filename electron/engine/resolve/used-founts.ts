import type { Lens } from '#shared/model/lens.ts';
import type { Library } from '#shared/model/library.ts';
import type { LensReference, LibraryReference } from '#shared/lens/reference.ts';
import type { FountReference } from '../fount/fount-reference.ts';

/** Every fount that a lens or library names: as parent, as source, as a skill's definition or dependency. */
export function usedFounts(file: Lens | Library): readonly FountReference[] {
  const named: (LensReference | LibraryReference | undefined)[] = file.skills.flatMap((skill) => [
    skill.source?.library ?? skill.source?.reference?.library,
    ...(skill.dependsOn ?? []).map(({ reference }) => reference?.library),
  ]);
  if ('compose' in file) {
    const links = file.extends ? [file.extends, ...file.compose] : file.compose;
    named.push(
      ...links.map(({ reference }) => reference),
      ...file.skillSources.map(({ library }) => library),
    );
  }
  return named.filter((reference) => reference?.kind === 'fount' || reference?.kind === 'agentskills');
}
