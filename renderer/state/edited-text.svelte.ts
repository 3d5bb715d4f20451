import { minimize } from '#shared/lens/edit/text-lines.ts';
import type { Change } from '#shared/lens/edit/text-lines.ts';
import type { TextFile } from '#shared/model/workspace.ts';
import { EditHistory, inverse, replaceIn, replacementsOf } from './edit-history.svelte.ts';
import type { Replacements, UndoStep } from './edit-history.svelte.ts';

/** Edits of one text that are one undo step. */
export interface TextEdits {
  readonly label: string;
  /** By offsets into the text as it is now; they do not overlap. */
  readonly edits: readonly Change[];
  /** Edits with the same mark that go on where the last one ended become one step, as typing does. */
  readonly merge?: string;
}

/** Who changed a text: somebody typing, an edit of a view, the history, or the disk. */
export type ChangedBy = 'typing' | 'edit' | 'undo' | 'redo' | 'disk';

/** What became of a text, told at once: rounds of replacements, each by offsets into the text that the one before left. */
export interface TextChanged {
  readonly before: string;
  readonly rounds: readonly Replacements[];
  readonly by: ChangedBy;
}

/** What an undo or redo did: the files it reached and those it could not, because they are closed; or why it was not done. */
export type StepOutcome =
  | {
      readonly ok: true;
      readonly label: string;
      readonly files: readonly string[];
      readonly closed: readonly string[];
      readonly made: MadeFile | undefined;
    }
  | { readonly ok: false; readonly message: string };

/** A file that was made for a step: it goes with its undo and is made again for its redo. */
export interface MadeFile {
  /** What it began with. */
  readonly text: string;
  document: EditedText;
  isRemoved: boolean;
}

/** The documents of one change over several files: it is undone and redone in all of them. */
interface StepGroup {
  readonly documents: Set<EditedText>;
  readonly made: MadeFile | undefined;
}

/** A text with one history for everything that changes it: typing, edits of any view, and the disk. */
export class EditedText {
  readonly file: TextFile['file'];
  readonly #changed: () => void;
  readonly #closing = new AbortController();
  #history = $state.raw(new EditHistory<StepGroup>());
  readonly #followers = new Set<(change: TextChanged) => void>();
  #text = $state.raw('');

  constructor(file: TextFile['file'], changed: () => void) {
    this.file = file;
    this.#changed = changed;
  }

  get text(): string {
    return this.#text;
  }

  /** Aborted when the text is closed. */
  get closed(): AbortSignal {
    return this.#closing.signal;
  }

  close(): void {
    this.#closing.abort();
  }

  /** What the next undo would take back; undefined where there is nothing. */
  get undoLabel(): string | undefined {
    return this.#history.lastDone?.label;
  }

  /** What the next redo would do again; undefined where there is nothing. */
  get redoLabel(): string | undefined {
    return this.#history.lastUndone?.label;
  }

  /** The file that the next redo needs. */
  get redoMakes(): MadeFile | undefined {
    return this.#history.lastUndone?.group?.made;
  }

  get canUndo(): boolean {
    return this.undoLabel !== undefined;
  }

  get canRedo(): boolean {
    return this.redoLabel !== undefined;
  }

  /** Makes edits as one undo step. */
  apply({ label, edits, merge }: TextEdits): void {
    this.#change({ label, merge, rounds: [replacementsOf(this.#text, edits)] }, 'edit');
  }

  /** Makes edits of several documents as one undo step over all of them; one may have been made for it. */
  static applyAll(
    label: string,
    edits: ReadonlyMap<EditedText, readonly Change[]>,
    document?: EditedText,
  ): void {
    const made = document && { document, text: document.#text, isRemoved: false };
    const changed = [...edits]
      .map(([document, changes]) => ({ document, round: replacementsOf(document.#text, changes) }))
      .filter(({ round }) => round.length > 0);
    const documents = new Set(changed.map(({ document }) => document));
    const group = documents.size > 1 ? { documents, made } : undefined;
    for (const { document, round } of changed) document.#change({ label, rounds: [round], group }, 'edit');
  }

  /** Takes over what was typed: one edit after the other, each by offsets into the text that the one before left. */
  type(edits: readonly Change[]): void {
    const rounds: Replacements[] = [];
    let text = this.#text;
    for (const edit of edits) {
      const round = replacementsOf(text, [edit]);
      text = replaceIn(text, round);
      rounds.push(round);
    }
    this.#change({ label: 'Typing', merge: 'typing', rounds }, 'typing');
  }

  /** Makes the text another as one undo step, and leaves alone what is the same. */
  edit(text: string): void {
    this.type(textDifference(this.#text, text));
  }

  /** Takes the last step back, in every document that it changed. */
  undo(): StepOutcome {
    return this.#step('undo');
  }

  /** Does the last undone step again, in every document that it changes. */
  redo(): StepOutcome {
    return this.#step('redo');
  }

  /** Tells of every change of the text before anything else can change it; answers how to stop. */
  follow(told: (change: TextChanged) => void): () => void {
    this.#followers.add(told);
    return () => this.#followers.delete(told);
  }

  /** Takes the place of a closed document with the same text: what can be undone and redone there can be here. */
  goOnFrom(closed: EditedText): void {
    if (closed.#text !== this.#text) throw new Error(`"${this.file}" begins with another text`);
    this.#history = closed.#history;
    for (const { group } of this.#history.steps) {
      if (group?.documents.delete(closed)) group.documents.add(this);
      if (group?.made?.document === closed) group.made.document = this;
    }
  }

  /** Begins with a text: what was before it cannot be undone. */
  protected begin(text: string): void {
    this.#forget(this.#history.clear());
    const before = this.#text;
    this.#text = text;
    this.#tell({ before, rounds: [replacementsOf(before, textDifference(before, text))], by: 'disk' });
  }

  /** Takes the version on disk as an undo step, so that nothing typed is out of reach. */
  protected takeFromDisk(text: string): void {
    const rounds = [replacementsOf(this.#text, textDifference(this.#text, text))];
    this.#change({ label: 'Change on disk', rounds }, 'disk');
  }

  #step(direction: 'undo' | 'redo'): StepOutcome {
    const nextOf = (document: EditedText): UndoStep<StepGroup> | undefined =>
      direction === 'undo' ? document.#history.lastDone : document.#history.lastUndone;
    const step = nextOf(this);
    if (!step) return { ok: false, message: `Nothing to ${direction} in "${this.file}"` };
    const { label, group } = step;
    const [closed, open] = partition([...(group?.documents ?? [this])], ({ closed }) => closed.aborted);
    const changed = group && open.find((document) => nextOf(document)?.group !== group);
    if (changed) {
      const message = `Cannot ${direction} ${label}: "${changed.file}" was changed after it`;
      return { ok: false, message };
    }
    for (const document of open) document.#take(direction);
    const files = (documents: readonly EditedText[]): string[] => documents.map(({ file }) => file);
    return { ok: true, label, files: files(open), closed: files(closed), made: group?.made };
  }

  #take(direction: 'undo' | 'redo'): void {
    const step = this.#history[direction]();
    if (!step) return;
    const back = (): Replacements[] => step.rounds.map(inverse).reverse();
    this.#replace(direction === 'undo' ? back() : step.rounds, direction);
  }

  #forget(steps: readonly UndoStep<StepGroup>[]): void {
    for (const { group } of steps) group?.documents.delete(this);
  }

  #change(step: UndoStep<StepGroup>, by: ChangedBy): void {
    const rounds = step.rounds.filter((round) => round.length > 0);
    if (rounds.length === 0) return;
    this.#forget(this.#history.push({ ...step, rounds }));
    this.#replace(rounds, by);
  }

  #replace(rounds: readonly Replacements[], by: ChangedBy): void {
    const before = this.#text;
    this.#text = rounds.reduce(replaceIn, before);
    this.#tell({ before, rounds, by });
    if (by !== 'disk') this.#changed();
  }

  #tell(change: TextChanged): void {
    for (const tell of this.#followers) tell(change);
  }
}

/** The smallest edit that makes one text the other. */
export function textDifference(before: string, after: string): Change[] {
  return minimize(before, [{ file: '', start: 0, end: before.length, text: after }]);
}

function partition<T>(items: readonly T[], isFirst: (item: T) => boolean): [T[], T[]] {
  return [items.filter(isFirst), items.filter((item) => !isFirst(item))];
}
