import type { FileId } from '#shared/model/workspace.ts';
import type { Tab } from './tabs.svelte.ts';
import { sourceOf } from './skill-source.ts';

/** A library that is no file of the workspace and that open lenses take skills from. */
export interface UsedLibrary {
  readonly name: string;
  /** Where it comes from, in a few words: "built in" or the locked version. */
  readonly badge: string;
  readonly skillCount: number;
  /** Skills of it that a run would leave out until you have read and trusted them. */
  readonly untrustedCount: number;
  /** Where one of its skills can be seen. */
  readonly seenIn: { readonly file: FileId; readonly skill: string };
}

/** The built-in library and the founts that the open lenses use, by name. */
export function usedLibraries(
  tabs: readonly Pick<Tab, 'document' | 'resolution' | 'lensRun'>[],
): UsedLibrary[] {
  const found = new Map<
    string,
    { badge: string; skills: Set<string>; untrusted: Set<string>; seenIn: UsedLibrary['seenIn'] }
  >();
  for (const { document, resolution, lensRun } of tabs) {
    const untrusted = lensRun?.plan.untrusted;
    for (const [skill, resolved] of Object.entries(resolution?.result?.graph.skills ?? {})) {
      const source = sourceOf(resolved, document.file);
      if (source?.kind !== 'builtin' && source?.kind !== 'fount') continue;
      const { name, badge } = source.kind === 'builtin' ? builtin : packageOf(source.text);
      const known = found.get(name) ?? {
        ...{ badge, skills: new Set(), untrusted: new Set() },
        seenIn: { file: document.file, skill },
      };
      found.set(name, known);
      known.skills.add(resolved.name);
      if (untrusted?.has(skill)) known.untrusted.add(resolved.name);
    }
  }
  return [...found]
    .map(([name, { badge, skills, untrusted, seenIn }]) => ({
      ...{ name, badge, skillCount: skills.size, untrustedCount: untrusted.size, seenIn },
    }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const builtin = { name: 'sunwell/common', badge: 'built in' };

/** The name and version in `@scope/name@1.2.0`. */
function packageOf(text: string): { name: string; badge: string } {
  const at = text.lastIndexOf('@');
  return at > 0
    ? { name: text.slice(0, at), badge: `${text.slice(at + 1)} locked` }
    : { name: text, badge: 'fount' };
}
