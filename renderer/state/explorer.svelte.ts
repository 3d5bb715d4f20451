import type { WorkspaceEntry } from '#shared/model/workspace.ts';
import { entryFilter } from './explorer-query.ts';
import type { UsedLibrary } from './used-libraries.ts';

type Kind = WorkspaceEntry['kind'];

/** One line of the explorer's tree. */
export type ExplorerRow = { readonly id: string; readonly level: number; readonly title: string } & (
  | { readonly kind: 'group'; readonly of: Kind; readonly count: number; readonly isOpen: boolean }
  | {
      readonly kind: 'entry';
      readonly entry: WorkspaceEntry;
      /** The lenses and libraries that have this Agent Skill as one of their own, by name. */
      readonly importedInto: readonly string[];
    }
  | { readonly kind: 'used'; readonly library: UsedLibrary }
  | { readonly kind: 'extends'; readonly entry: WorkspaceEntry; readonly target: WorkspaceEntry | undefined }
);

const groups: readonly { of: Kind; title: string }[] = [
  { of: 'lens', title: 'Lenses' },
  { of: 'library', title: 'Libraries' },
  { of: 'agent-skill', title: 'Agent Skills' },
];

const pauseMs = 700;

interface ExplorerOptions {
  readonly entries: () => readonly WorkspaceEntry[];
  /** Libraries from outside of the workspace. */
  readonly used: () => readonly UsedLibrary[];
  readonly now?: () => number;
}

/** The tree of lenses, libraries and Agent Skills: filter, folding and keyboard movement. */
export class Explorer {
  readonly #options: ExplorerOptions;
  #filter = $state.raw('');
  #folded = $state.raw<ReadonlySet<Kind>>(new Set());
  #focusedId = $state.raw<string>();
  #typed = { text: '', atMs: 0 };

  readonly rows = $derived.by(() => this.#build());
  readonly focused = $derived(this.rows.find((row) => row.id === this.#focusedId) ?? this.rows[0]);

  constructor(options: ExplorerOptions) {
    this.#options = options;
  }

  get filter(): string {
    return this.#filter;
  }

  setFilter(filter: string): void {
    this.#filter = filter;
  }

  focus(id: string): void {
    this.#focusedId = id;
  }

  toggle(of: Kind): void {
    const folded = new Set(this.#folded);
    if (!folded.delete(of)) folded.add(of);
    this.#folded = folded;
  }

  /** Moves through the tree as trees do; answers whether the key was one of its own. */
  press(key: string): boolean {
    const { rows, focused } = this;
    if (!focused) return false;
    const at = rows.findIndex(({ id }) => id === focused.id);
    switch (key) {
      case 'ArrowDown':
        return this.#go(rows[at + 1]);
      case 'ArrowUp':
        return this.#go(rows[at - 1]);
      case 'Home':
        return this.#go(rows[0]);
      case 'End':
        return this.#go(rows.at(-1));
      case 'ArrowLeft':
        if (focused.kind === 'group' && focused.isOpen) this.toggle(focused.of);
        else this.#go(rows.slice(0, at).findLast((row) => row.level < focused.level));
        return true;
      case 'ArrowRight': {
        if (focused.kind === 'group' && !focused.isOpen) this.toggle(focused.of);
        else if ((rows[at + 1]?.level ?? 0) > focused.level) this.#go(rows[at + 1]);
        return true;
      }
      default:
        return this.#typeAhead(key, at);
    }
  }

  #go(row: ExplorerRow | undefined): true {
    if (row) this.#focusedId = row.id;
    return true;
  }

  #typeAhead(key: string, at: number): boolean {
    if (key.length !== 1 || key === ' ') return false;
    const now = (this.#options.now ?? Date.now)();
    const isNew = now - this.#typed.atMs > pauseMs;
    const text = (isNew ? '' : this.#typed.text) + key.toLowerCase();
    this.#typed = { text, atMs: now };
    const from = text.length === 1 ? at + 1 : at;
    const around = [...this.rows.slice(from), ...this.rows.slice(0, from)];
    return this.#go(around.find((row) => row.title.toLowerCase().startsWith(text)));
  }

  #build(): ExplorerRow[] {
    const entries = this.#options.entries();
    const lenses = new Lenses(entries);
    const imports = importsOf(entries);
    const wanted = this.#filter.trim().toLowerCase();
    const shown = entries.filter(entryFilter(wanted));
    const used = this.#options.used().filter(({ name }) => name.toLowerCase().includes(wanted));
    return groups.flatMap(({ of, title }) => {
      const own = shown.filter(({ kind }) => kind === of);
      const members: ExplorerRow[] = [
        ...own.flatMap((entry) => entryRows(entry, lenses, imports)),
        ...(of === 'library' ? used.map(usedRow) : []),
      ];
      if (members.length === 0) return [];
      const isOpen = wanted !== '' || !this.#folded.has(of);
      const head: ExplorerRow = {
        ...{ kind: 'group', id: `group:${of}`, level: 1, title },
        ...{ of, count: own.length + (of === 'library' ? used.length : 0), isOpen },
      };
      return isOpen ? [head, ...members] : [head];
    });
  }
}

function usedRow(library: UsedLibrary): ExplorerRow {
  return { kind: 'used', id: `used:${library.name}`, level: 2, title: library.name, library };
}

/** Who has an Agent Skill as one of their own, by the file of the skill. */
function importsOf(entries: readonly WorkspaceEntry[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const entry of entries) {
    for (const folder of (entry.kind !== 'agent-skill' && entry.localSkills) || []) {
      const file = `${folder}/SKILL.md`;
      found.set(file, [...(found.get(file) ?? []), entry.name]);
    }
  }
  return found;
}

function entryRows(
  entry: WorkspaceEntry,
  lenses: Lenses,
  imports: ReadonlyMap<string, readonly string[]>,
): ExplorerRow[] {
  const row: ExplorerRow = {
    ...{ kind: 'entry', id: `entry:${entry.file}`, level: 2, title: entry.name, entry },
    importedInto: imports.get(entry.file) ?? [],
  };
  if (entry.kind !== 'lens' || entry.extends === undefined) return [row];
  const target = lenses.extendedBy(entry.file, entry.extends);
  const title = `extends ${target?.name ?? entry.extends}`;
  return [row, { kind: 'extends', id: `extends:${entry.file}`, level: 3, title, entry, target }];
}

/** The workspace's lenses by path and by name: looking through all of them for each would freeze a large workspace. */
class Lenses {
  readonly #byFile: ReadonlyMap<string, WorkspaceEntry>;
  readonly #byName: ReadonlyMap<string, WorkspaceEntry>;

  constructor(entries: readonly WorkspaceEntry[]) {
    const lenses = entries.filter(({ kind }) => kind === 'lens');
    this.#byFile = new Map(lenses.map((lens) => [lens.file, lens]));
    this.#byName = new Map(lenses.map((lens) => [lens.name, lens]));
  }

  /** The lens that `extends` names in this file: by a path from the file's folder, or by its name. */
  extendedBy(file: string, base: string): WorkspaceEntry | undefined {
    const target = this.#byFile.get(pathFrom(file, base)) ?? this.#byName.get(base);
    return target?.file === file ? undefined : target;
  }
}

function pathFrom(file: string, relative: string): string {
  const parts = file.split('/').slice(0, -1);
  for (const part of relative.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.') parts.push(part);
  }
  return parts.join('/');
}
