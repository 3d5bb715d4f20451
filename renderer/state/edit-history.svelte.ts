import type { Change } from '#shared/lens/edit/text-lines.ts';

/** One replacement that can be taken back: it knows what stood there. */
export interface Replacement {
  readonly start: number;
  readonly removed: string;
  readonly inserted: string;
}

/** Replacements made at once: in order, not overlapping, by offsets into the text before all of them. */
export type Replacements = readonly Replacement[];

/** What one undo takes back. Steps with the same group were one change of several texts. */
export interface UndoStep<Group> {
  readonly label: string;
  /** One after the other, each by offsets into the text that the one before left. */
  readonly rounds: readonly Replacements[];
  /** Edits with the same mark that go on where the last one ended become one step. */
  readonly merge?: string | undefined;
  readonly group?: Group | undefined;
}

const mostCharacters = 4 * 1_048_576;

/** What was done to one text, as patches: enough to take all of it back and to do it again, byte for byte. */
export class EditHistory<Group> {
  readonly #mostCharacters: number;
  readonly #done: UndoStep<Group>[] = [];
  readonly #undone: UndoStep<Group>[] = [];
  #characters = 0;
  #mayMerge = false;
  #version = $state.raw(0);

  constructor(limit = mostCharacters) {
    this.#mostCharacters = limit;
  }

  /** All that can be undone or redone. */
  get steps(): readonly UndoStep<Group>[] {
    return [...this.#done, ...this.#undone];
  }

  /** What the next undo takes back. */
  get lastDone(): UndoStep<Group> | undefined {
    return this.#version >= 0 ? this.#done.at(-1) : undefined;
  }

  /** What the next redo does again. */
  get lastUndone(): UndoStep<Group> | undefined {
    return this.#version >= 0 ? this.#undone.at(-1) : undefined;
  }

  /** Remembers a step; what was undone before cannot be redone any more. Answers the steps that had to go for it. */
  push(step: UndoStep<Group>): UndoStep<Group>[] {
    this.#characters -= this.#undone.reduce((sum, undone) => sum + sizeOf(undone), 0);
    this.#undone.length = 0;
    const last = this.#done.at(-1);
    const merged = last && this.#mayMerge && goesOn(last, step) ? join(last, step) : undefined;
    if (merged) this.#characters -= sizeOf(this.#done.pop()!);
    this.#done.push(merged ?? step);
    this.#characters += sizeOf(merged ?? step);
    this.#mayMerge = true;
    this.#version++;
    return this.#forgetOldest();
  }

  /** Moves the last step to what can be redone; the caller takes it back. */
  undo(): UndoStep<Group> | undefined {
    return this.#move(this.#done, this.#undone);
  }

  /** Moves the last undone step back; the caller does it again. */
  redo(): UndoStep<Group> | undefined {
    return this.#move(this.#undone, this.#done);
  }

  /** Lets the next edit be a step of its own. */
  endStep(): void {
    this.#mayMerge = false;
  }

  /** Forgets everything; answers what that was. */
  clear(): UndoStep<Group>[] {
    const gone = [...this.#done.splice(0), ...this.#undone.splice(0)];
    this.#characters = 0;
    this.#version++;
    return gone;
  }

  #move(from: UndoStep<Group>[], to: UndoStep<Group>[]): UndoStep<Group> | undefined {
    const step = from.pop();
    if (step) to.push(step);
    this.#mayMerge = false;
    this.#version++;
    return step;
  }

  #forgetOldest(): UndoStep<Group>[] {
    const gone: UndoStep<Group>[] = [];
    while (this.#characters > this.#mostCharacters && this.#done.length > 1) {
      const [oldest] = this.#done.splice(0, 1);
      gone.push(oldest!);
      this.#characters -= sizeOf(oldest!);
    }
    return gone;
  }
}

/** The replacements behind edits of a text, without those that change nothing. */
export function replacementsOf(text: string, edits: readonly Change[]): Replacements {
  const sorted = [...edits].sort((a, b) => a.start - b.start || a.end - b.end);
  let before = 0;
  for (const { start, end } of sorted) {
    if (start < before || end < start || end > text.length) {
      throw new Error(`Edit ${start}-${end} overlaps another or is outside of ${text.length} characters`);
    }
    before = end;
  }
  return sorted
    .map(({ start, end, text: inserted }) => ({ start, removed: text.slice(start, end), inserted }))
    .filter(({ removed, inserted }) => removed !== inserted);
}

/** The text with the replacements made. */
export function replaceIn(text: string, replacements: Replacements): string {
  const parts: string[] = [];
  let from = 0;
  for (const { start, removed, inserted } of replacements) {
    parts.push(text.slice(from, start), inserted);
    from = start + removed.length;
  }
  parts.push(text.slice(from));
  return parts.join('');
}

/** The replacements that take others back, by offsets into the text that those left. */
export function inverse(replacements: Replacements): Replacements {
  let shift = 0;
  return replacements.map(({ start, removed, inserted }) => {
    const back = { start: start + shift, removed: inserted, inserted: removed };
    shift += inserted.length - removed.length;
    return back;
  });
}

/** As editors do it: typing goes on within a word, and a space after a word begins the next step. */
function goesOn(last: UndoStep<unknown>, next: UndoStep<unknown>): boolean {
  if (next.merge === undefined || next.merge !== last.merge || last.group || next.group) return false;
  const before = onlyOne(last.rounds.at(-1));
  const after = onlyOne(next.rounds[0]);
  if (next.rounds.length !== 1 || !before || !after) return false;
  if (isDeletion(after)) {
    const isBackspace = after.start + after.removed.length === before.start;
    return isDeletion(before) && (isBackspace || after.start === before.start);
  }
  if (isDeletion(before) || after.start !== before.start + before.inserted.length) return false;
  return !(/\S$/.test(before.inserted) && /^\s/.test(after.inserted)) && after.inserted.length < 100;
}

function isDeletion({ inserted }: Replacement): boolean {
  return inserted === '';
}

function onlyOne(round: Replacements | undefined): Replacement | undefined {
  return round?.length === 1 ? round[0] : undefined;
}

/** Letters typed one after the other are kept as one piece, not as one object for each. */
function join<Group>(before: UndoStep<Group>, after: UndoStep<Group>): UndoStep<Group> {
  const last = onlyOne(before.rounds.at(-1))!;
  const next = onlyOne(after.rounds[0])!;
  const earlier = before.rounds.slice(0, -1);
  const piece = joinReplacements(last, next);
  return { ...before, rounds: piece ? [...earlier, [piece]] : [...before.rounds, ...after.rounds] };
}

function joinReplacements(last: Replacement, next: Replacement): Replacement | undefined {
  if (next.removed === '') return { ...last, inserted: last.inserted + next.inserted };
  if (!isDeletion(next)) return undefined;
  return next.start === last.start
    ? { ...last, removed: last.removed + next.removed }
    : { ...next, removed: next.removed + last.removed };
}

function sizeOf({ rounds }: UndoStep<unknown>): number {
  return rounds.flat().reduce((sum, { removed, inserted }) => sum + removed.length + inserted.length + 50, 0);
}
