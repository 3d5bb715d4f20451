import { lensPath } from '#shared/lens/edit/lens-edits.ts';
import type { EditResult } from '#shared/lens/edit/place.ts';
import { readablePart } from '#shared/lens/edit/readable-part.ts';
import type { ReadablePart } from '#shared/lens/edit/readable-part.ts';
import { applyEdits } from '#shared/lens/edit/text-lines.ts';
import type { Path, YamlSource } from '#shared/lens/yaml/source.ts';
import type { OpenDocument } from './document.svelte.ts';
import { textDifference } from './edited-text.svelte.ts';
import { leadsTo, placeProblems } from './form-problems.ts';
import type { PlacedProblem } from './form-problems.ts';
import type { Resolution } from './resolution.svelte.ts';

/** One edit of the form: what undo calls it, and how it is made in what can be read of the text. */
export interface FormEdit {
  readonly label: string;
  readonly make: (source: YamlSource) => EditResult;
  /**
   * Marks what is being typed. All of it is written as if it had been typed at once into the text before it:
   * else a word that needs quotes for a moment would keep them.
   */
  readonly typing?: string;
}

interface TypingSession {
  readonly mark: string;
  readonly text: string;
  readonly readable: ReadablePart;
  /** The text after the last letter; another one means that somebody else has changed it. */
  readonly after: string;
}

/** A document as a form: what of its text can be read, which part is shown, and edits that leave the rest alone. */
export class FormState {
  readonly #document: OpenDocument;
  readonly #resolution: Resolution | undefined;
  #lastWhole: string | undefined;
  #known: { text: string; readable: ReadablePart } | undefined;
  #session: TypingSession | undefined;
  #unfinished: (() => void | Promise<void>) | undefined;
  #finishing: Promise<void> | undefined;
  #section = $state.raw<string>();
  #items = $state.raw<ReadonlyMap<string, number>>(new Map());

  readonly readable = $derived.by(() => this.#read(this.#document.text));
  /** The path of the lens's own map; a library has none of its own. */
  readonly root: Path = $derived.by(() =>
    this.#document.kind === 'lens' ? lensPath(this.readable.source) : [],
  );
  readonly problems: readonly PlacedProblem[] = $derived.by(() => this.#placeProblems());

  constructor(document: OpenDocument, resolution: Resolution | undefined) {
    this.#document = document;
    this.#resolution = resolution;
  }

  get source(): YamlSource {
    return this.readable.source;
  }

  /** The section in view; undefined until one was chosen. */
  get section(): string | undefined {
    return this.#section;
  }

  /** The item of a section in view. */
  itemOf(section: string): number {
    return this.#items.get(section) ?? 0;
  }

  show(section: string, item?: number): void {
    this.#section = section;
    if (item !== undefined) this.#items = new Map(this.#items).set(section, Math.max(0, item));
  }

  /** The problems of an entry and of everything in it. */
  problemsAt(path: Path): PlacedProblem[] {
    return this.problems.filter((problem) => leadsTo(path, problem.path));
  }

  /** Makes an edit as an undo step; answers why it could not be made. */
  edit({ label, make, typing }: FormEdit): string | undefined {
    const { text } = this.#document;
    const session =
      typing !== undefined && this.#session?.mark === typing && this.#session.after === text
        ? this.#session
        : { mark: typing ?? '', text, readable: this.readable };
    const result = make(session.readable.source);
    if (!result.ok) return result.message;
    if (touchesUnreadable(result.edits, session.readable)) {
      return 'Cannot change this while lines beside it cannot be read: correct them first';
    }
    const after = applyEdits(session.text, result.edits);
    if (session.readable.unreadable.length === 0) {
      this.#known = { text: after, readable: { source: result.source, unreadable: [] } };
    }
    this.#session = typing === undefined ? undefined : { ...session, after };
    this.#document.apply({
      label,
      edits: textDifference(text, after),
      ...(typing !== undefined && { merge: typing }),
    });
    return undefined;
  }

  /** Lets what is typed next be a step of its own. */
  endTyping(): void {
    this.#session = undefined;
  }

  /** Keeps what a field will write when it is left, for a key that saves, runs or closes and leaves no field. */
  finishLater(write: (() => void | Promise<void>) | undefined): void {
    this.#unfinished = write;
  }

  /** Writes what a field still holds; nothing to wait for where there is none. */
  finish(): Promise<void> | undefined {
    const write = this.#unfinished;
    this.#unfinished = undefined;
    const writing = write?.();
    if (writing === undefined) return this.#finishing;
    const finishing = writing.finally(() => {
      if (this.#finishing === finishing) this.#finishing = undefined;
    });
    this.#finishing = finishing;
    return finishing;
  }

  #read(text: string): ReadablePart {
    const known = this.#known?.text === text ? this.#known.readable : undefined;
    const readable =
      known ?? readablePart(text, this.#document.file, this.#lastWhole ?? this.#document.savedText);
    this.#known = { text, readable };
    if (readable.unreadable.length === 0) this.#lastWhole = text;
    return readable;
  }

  /** By the text that the engine has read: while more is typed, a problem stays at its field. */
  #placeProblems(): PlacedProblem[] {
    const result = this.#resolution?.result;
    const text = this.#resolution?.textOf(this.#document.file);
    if (!result || text === undefined) return [];
    const { source } =
      this.#known?.text === text ? this.#known.readable : readablePart(text, this.#document.file);
    return placeProblems(source, result.graph.diagnostics);
  }
}

function touchesUnreadable(
  edits: readonly { start: number; end: number }[],
  { unreadable }: ReadablePart,
): boolean {
  return edits.some(({ start, end }) => unreadable.some((part) => start < part.end && end > part.start));
}
