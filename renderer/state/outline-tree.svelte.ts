import type { OutlineEntry } from '#shared/lens/language/outline-of.ts';

/** One line of the outline. */
export interface OutlineRow {
  /** The names down to it: it stays the same while the text around it changes. */
  readonly id: string;
  readonly level: number;
  readonly entry: OutlineEntry;
  /** Undefined where there is nothing to unfold. */
  readonly isOpen: boolean | undefined;
}

/** The outline of one text as a tree: folding, movement by keys, and which line of it the cursor is in. */
export class OutlineTree {
  #entries = $state.raw<readonly OutlineEntry[]>();
  #folded = $state.raw<ReadonlySet<string>>(new Set());
  #focusedId = $state.raw<string>();
  #line = $state.raw<number>();

  readonly rows = $derived.by(() => rowsOf(this.#entries ?? [], this.#folded));
  /** The innermost line that holds the cursor and is not folded away. */
  readonly current = $derived.by(() => {
    const line = this.#line;
    if (line === undefined) return undefined;
    return this.rows.findLast(({ entry: { at } }) => at.line <= line && line <= lastLine(at));
  });
  /** The line that Tab leads to. */
  readonly focused = $derived(
    this.rows.find(({ id }) => id === this.#focusedId) ?? this.current ?? this.rows[0],
  );

  /** Undefined until the text has been read for the first time. */
  get entries(): readonly OutlineEntry[] | undefined {
    return this.#entries;
  }

  show(entries: readonly OutlineEntry[]): void {
    this.#entries = entries;
  }

  /** The cursor is in this line of the text; from now on the line of the outline around it is the one to begin at. */
  follow(line: number): void {
    this.#line = line;
    this.#focusedId = undefined;
  }

  focus(id: string): void {
    this.#focusedId = id;
  }

  toggle({ id, isOpen }: OutlineRow): void {
    if (isOpen === undefined) return;
    const folded = new Set(this.#folded);
    if (!folded.delete(id)) folded.add(id);
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
        if (focused.isOpen) this.toggle(focused);
        else this.#go(rows.slice(0, at).findLast(({ level }) => level < focused.level));
        return true;
      case 'ArrowRight':
        if (focused.isOpen === false) this.toggle(focused);
        else if (focused.isOpen) this.#go(rows[at + 1]);
        return true;
      default:
        return false;
    }
  }

  #go(row: OutlineRow | undefined): true {
    if (row) this.#focusedId = row.id;
    return true;
  }
}

/** A text that ends where the next line begins does not hold that line. */
function lastLine({ line, endLine, endColumn }: OutlineEntry['at']): number {
  return endColumn === 1 && endLine > line ? endLine - 1 : endLine;
}

function rowsOf(
  entries: readonly OutlineEntry[],
  folded: ReadonlySet<string>,
  { level, id: above }: { level: number; id: string } = { level: 1, id: '' },
): OutlineRow[] {
  const seen = new Map<string, number>();
  return entries.flatMap((entry) => {
    const times = seen.get(entry.name) ?? 0;
    seen.set(entry.name, times + 1);
    // A name may be there twice, at least while somebody types.
    const id = `${above}/${entry.name}${times === 0 ? '' : `#${times}`}`;
    const isOpen = entry.children.length === 0 ? undefined : !folded.has(id);
    const below = isOpen ? rowsOf(entry.children, folded, { level: level + 1, id }) : [];
    return [{ id, level, entry, isOpen }, ...below];
  });
}
