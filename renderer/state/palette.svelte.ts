import type { CommandId } from '#shared/commands.ts';
import type { WorkspaceEntry } from '#shared/model/workspace.ts';
import type { Commands } from './commands.svelte.ts';
import { fuzzyMatch } from './fuzzy.ts';
import type { IndexedSkill } from './skill-index.svelte.ts';

export type PaletteMode = 'everything' | 'commands';

interface ItemBase {
  readonly id: string;
  readonly title: string;
  readonly detail: string;
  /** The letters of the title that the query matched. */
  readonly positions: readonly number[];
}
export type PaletteItem =
  | (ItemBase & { readonly kind: 'entry'; readonly entry: WorkspaceEntry })
  | (ItemBase & { readonly kind: 'skill'; readonly skill: IndexedSkill })
  | (ItemBase & { readonly kind: 'command'; readonly command: CommandId });

interface PaletteOptions {
  readonly entries: () => readonly WorkspaceEntry[];
  readonly skills: () => readonly IndexedSkill[];
  readonly commands: () => Pick<Commands, 'enabled' | 'title'>;
  readonly opened: () => void;
  readonly choose: (item: PaletteItem) => void;
}

const shownPerKind = 50;

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
    const commands = this.#commands();
    if (mode === 'commands') return this.#rank(commands);
    const found = [...this.#rank(this.#entries()), ...this.#rank(this.#skills())];
    return this.#query.trim() === '' ? found : [...found, ...this.#rank(commands)];
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

  #commands(): PaletteItem[] {
    const commands = this.#options.commands();
    return commands.enabled().map((command) => ({
      ...{ kind: 'command', id: `command:${command}`, title: commands.title(command), detail: '' },
      ...{ positions: [], command },
    }));
  }

  /** Best first; equals keep their order, so that nothing moves while nothing is typed. */
  #rank(items: readonly PaletteItem[]): PaletteItem[] {
    const ranked = items.flatMap((item) => {
      const byTitle = fuzzyMatch(this.#query, item.title);
      const match = byTitle ?? fuzzyMatch(this.#query, item.detail);
      if (!match) return [];
      const score = byTitle ? match.score : match.score - 100;
      return [{ item: { ...item, positions: byTitle?.positions ?? [] }, score }];
    });
    if (this.#query.trim() !== '') ranked.sort((a, b) => b.score - a.score);
    return ranked.slice(0, shownPerKind).map(({ item }) => item);
  }
}
