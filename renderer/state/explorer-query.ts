import type { WorkspaceEntry } from '#shared/model/workspace.ts';

/** Tells whether an entry is meant by what was typed: words of its name or path, `domain:` and `tag:`, all of them. */
export function entryFilter(typed: string): (entry: WorkspaceEntry) => boolean {
  const wishes = typed.toLowerCase().split(/\s+/).filter(Boolean).map(wishOf);
  return (entry) => wishes.every((isMeant) => isMeant(entry));
}

function wishOf(word: string): (entry: WorkspaceEntry) => boolean {
  const [, field, wanted] = /^(domain|tag):(.*)$/.exec(word) ?? [];
  if (wanted === undefined) {
    return ({ name, file }) => `${name}\n${file}`.toLowerCase().includes(word);
  }
  // A value that is not typed yet: whatever has one.
  return (entry) => valuesOf(entry, field!).some((value) => value.toLowerCase().includes(wanted));
}

function valuesOf(entry: WorkspaceEntry, field: string): readonly string[] {
  if (entry.kind !== 'lens') return [];
  return field === 'tag' ? (entry.tags ?? []) : entry.domain === undefined ? [] : [entry.domain];
}
