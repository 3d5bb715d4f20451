import type { WorkspaceEntry } from '#shared/model/workspace.ts';
import type { Tab } from '#renderer/state/tabs.svelte.ts';
import { usedLibraries } from '#renderer/state/used-libraries.ts';
import type { Suggestion } from './fields.ts';

/** What a field can be filled with, by what the lens resolves to and what the workspace has. */
export function suggestionsFor(kind: Suggestion, tab: Tab, entries: readonly WorkspaceEntry[]): string[] {
  const { graph, lens } = tab.resolution?.result ?? {};
  const skills = Object.values(graph?.skills ?? {});
  switch (kind) {
    case 'skill':
      return unique(Object.keys(graph?.skills ?? {}));
    case 'key':
      return unique([
        ...skills.flatMap(({ produces, requires }) => [...produces, ...requires]),
        ...(lens?.inputs.map(({ name }) => name) ?? []),
      ]);
    case 'validator':
      return [...(lens?.validators.deterministic ?? []), ...(lens?.validators.heuristic ?? [])].map(
        ({ name }) => name,
      );
    case 'persona':
      return lens?.personas.map(({ name }) => name) ?? [];
    case 'lens':
      return entries.filter((entry) => entry.kind === 'lens').map(({ file }) => file);
    case 'library':
      return unique(['sunwell/common', ...usedLibraries([tab]).map(({ name }) => name)]);
  }
}

function unique(texts: readonly string[]): string[] {
  return [...new Set(texts)].sort();
}
