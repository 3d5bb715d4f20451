import type { CommandId } from '#shared/commands.ts';
import type { FileId, WorkspaceEntry } from '#shared/model/workspace.ts';
import type { Commands } from './commands.svelte.ts';
import { fuzzyMatch } from './fuzzy.ts';
import type { IndexedSkill } from './skill-index.svelte.ts';

export type PaletteMode = 'everything' | 'commands';

interface ItemBase {
  readonly id: string;
  /** Used before in this workspace. */
  readonly isRecent?: boolean;
  readonly title: string;
  readonly detail: string;
  /** The letters of the title that the query matched. */
  readonly positions: readonly number[];
}
export type PaletteItem =
  | (ItemBase & { readonly kind: 'entry'; readonly entry: WorkspaceEntry })
  | (ItemBase & { readonly kind: 'skill'; readonly skill: IndexedSkill })
  | (ItemBase & { readonly kind: 'file'; readonly file: FileId })
  | (ItemBase & { readonly kind: 'command'; readonly command: CommandId });

interface PaletteOptions {
  readonly entries: () => readonly WorkspaceEntry[];
  readonly skills: () => readonly IndexedSkill[];
  /** Every file by its path, lenses and libraries too. */
  readonly files: () => readonly FileId[];
  /** Ids of items that were chosen before, newest first. */
  readonly recent: () => readonly string[];
  readonly commands: () => Pick<Commands, 'enabled' | 'title'>;
  readonly opened: () => void;
  readonly choose: (item: PaletteItem) => void;
}

interface RankedItem {
  readonly item: PaletteItem;
  /** How well it answers what is typed. */
  readonly fit: number;
  /** What it gains by having been used. */
  readonly bonus: number;
}

const shownPerKind = 50;
const shownRecent = 8;

/** The search over lenses, skills and commands. */
export class Palette {
  readonly #options: PaletteOptions;
  #mode = $state.raw<PaletteMode>();
  #query = $state.raw('');
  #at = $state.raw(0);

  readonly items = $derived.by(() => (this.#mode === undefined ? [] : this.#find(this.#mode)));

  constructor(options: PaletteOptions) {
    this.#options = options;
  }

  get mode(): PaletteMode | undefined {
    return this.#mode;
  }

  get query(): string {
    return this.#query;
  }

  get selected(): PaletteItem | undefined {
    return this.items[Math.min(this.#at, this.items.length - 1)];
  }

  open(mode: PaletteMode): void {
    this.#mode = mode;
    this.search('');
    this.#options.opened();
  }

  close(): void {
    this.#mode = undefined;
  }

  search(query: string): void {
    this.#query = query;
    this.#at = 0;
  }

  step(by: number): void {
    const count = this.items.length;
    if (count > 0) this.#at = (Math.min(this.#at, count - 1) + by + count) % count;
  }

  choose(item: PaletteItem | undefined = this.selected): void {
    if (!item) return;
    this.close();
    this.#options.choose(item);
  }

  #find(mode: PaletteMode): PaletteItem[] {
    const recent = new Map(this.#options.recent().map((id, at) => [id, at]));
    if (mode === 'commands') return this.#rank(this.#commands(), recent);
    const [entries, skills] = [this.#entries(), this.#skills()];
    const isTyping = this.#query.trim() !== '';
    const others = isTyping || recent.size > 0 ? [...this.#files(entries), ...this.#commands()] : [];
    if (isTyping) {
      const kinds = [
        entries,
        skills,
        ...['file', 'command'].map((kind) => others.filter((item) => item.kind === kind)),
      ];
      const groups = kinds.map((items) => this.#ranked(items, recent)).filter((ranked) => ranked.length > 0);
      // By whole points: a letter more in a name is no better answer.
      const best = (ranked: readonly RankedItem[]): number =>
        Math.max(...ranked.map(({ fit }) => Math.round(fit)));
      return groups.toSorted((a, b) => best(b) - best(a)).flatMap((ranked) => ranked.map(({ item }) => item));
    }
    const known = [...entries, ...skills, ...others].filter(({ id }) => recent.has(id));
    const used = this.#rank(known, recent)
      .slice(0, shownRecent)
      .map((item) => ({ ...item, isRecent: true }));
    const left = (items: readonly PaletteItem[]): PaletteItem[] =>
      this.#rank(
        items.filter(({ id }) => !used.some((item) => item.id === id)),
        new Map(),
      );
    return [...used, ...left(entries), ...left(skills)];
  }

  #entries(): PaletteItem[] {
    return this.#options.entries().map((entry) => ({
      ...{ kind: 'entry', id: `entry:${entry.file}`, title: entry.name, detail: entry.file },
      ...{ positions: [], entry },
    }));
  }

  #skills(): PaletteItem[] {
    return this.#options.skills().map((skill) => ({
      ...{ kind: 'skill', id: `skill:${skill.file}:${skill.name}`, title: skill.name, detail: skill.file },
      ...{ positions: [], skill },
    }));
  }

  /** Files that are no entries: those are listed as what they are. */
  #files(entries: readonly PaletteItem[]): PaletteItem[] {
    const listed = new Set(entries.map(({ detail }) => detail));
    return this.#options.files().flatMap((file): PaletteItem[] => {
      if (listed.has(file)) return [];
      const title = file.slice(file.lastIndexOf('/') + 1);
      return [{ kind: 'file', id: `file:${file}`, title, detail: file, positions: [], file }];
    });
  }

  #commands(): PaletteItem[] {
    const commands = this.#options.commands();
    return commands.enabled().map((command) => ({
      ...{ kind: 'command', id: `command:${command}`, title: commands.title(command), detail: '' },
      ...{ positions: [], command },
    }));
  }

  /** Best first, what was used before sooner than its equals; equals keep their order, so that nothing moves while nothing is typed. */
  #rank(items: readonly PaletteItem[], recent: ReadonlyMap<string, number>): PaletteItem[] {
    return this.#ranked(items, recent).map(({ item }) => item);
  }

  #ranked(items: readonly PaletteItem[], recent: ReadonlyMap<string, number>): readonly RankedItem[] {
    const ranked = items.flatMap((item) => {
      const byTitle = fuzzyMatch(this.#query, item.title);
      const match = byTitle ?? fuzzyMatch(this.#query, item.detail);
      if (!match) return [];
      const used = recent.get(item.id);
      const bonus = used === undefined ? 0 : 3 - used / 30;
      const fit = byTitle ? match.score : match.score - 100;
      return [{ item: { ...item, positions: byTitle?.positions ?? [] }, fit, bonus }];
    });
    const isTyping = this.#query.trim() !== '';
    ranked.sort((a, b) => (isTyping ? b.fit + b.bonus - a.fit - a.bonus : b.bonus - a.bonus));
    return ranked.slice(0, shownPerKind);
  }
}
