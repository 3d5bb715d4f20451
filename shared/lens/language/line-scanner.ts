import type { Path } from '../yaml/source.ts';

interface Frame {
  readonly kind: 'map' | 'list';
  readonly column: number;
  /** The key or index that the next deeper line belongs to. */
  step: string | number;
  readonly keys: string[];
}

/** What was typed on the line of the cursor, and where it would stand. */
export interface Entered {
  readonly path: Path;
  readonly typed: string;
  readonly at: number;
  /** A key of a map that is there, and nothing else. */
  readonly isKeyOf: boolean;
  readonly needsDash: boolean;
}

const keyLine =
  /^(?:"((?:[^"\\]|\\.)*)"|'([^']*)'|([^\s"'[{#&*!|>,-][^:#]*?|-[^\s:][^:]*?))\s*:(?:\s+(.*))?$/;

/** Parts `key: value` at its colon; undefined where the text is no such pair. */
export function splitKey(typed: string): { readonly key: string; readonly value: string } | undefined {
  const match = keyLine.exec(typed);
  const key = match?.[1] ?? match?.[2] ?? match?.[3];
  return key === undefined ? undefined : { key, value: match?.[4] ?? '' };
}

/** Follows the indents of YAML lines, from the top to the line of the cursor, without parsing them. */
export class LineScanner {
  readonly #frames: Frame[] = [];
  /** The block of text that is open: lines deeper than this belong to it. */
  #block: { readonly column: number; readonly path: Path } | undefined;
  #flow:
    | { text: string; readonly column: number; readonly path: Path; readonly closes: 'brackets' | '"' | "'" }
    | undefined;

  /** A scanner that has read the same lines, and goes on by itself. */
  clone(): LineScanner {
    const clone = new LineScanner();
    clone.#frames.push(...this.#frames.map((frame) => ({ ...frame, keys: [...frame.keys] })));
    clone.#block = this.#block;
    clone.#flow = this.#flow && { ...this.#flow };
    return clone;
  }

  /** Brackets that were opened above and are not closed yet, with what stands in them. */
  get openFlow(): string | undefined {
    return this.#flow?.closes === 'brackets' ? this.#flow.text : undefined;
  }

  /** Of the text or the brackets that are open. */
  get openPath(): Path {
    return this.#flow?.path ?? this.#block?.path ?? [];
  }

  /** Says whether a column of the next line is inside a text that was begun above. */
  isInside(line: string, column: number): boolean {
    if (this.#flow !== undefined) return this.#flow.closes !== 'brackets';
    if (this.#block === undefined) return false;
    const indent = line.trim() === '' ? column : line.length - line.trimStart().length;
    return indent > this.#block.column;
  }

  /** Gives up brackets or quotes that were never closed: what they hold must stand deeper than their key. */
  settle(line: string): void {
    if (this.#flow === undefined || line.trim() === '') return;
    const indent = line.length - line.trimStart().length;
    if (indent <= this.#flow.column && !/^[\]}]/.test(line.trim())) this.#flow = undefined;
  }

  read(line: string): void {
    this.settle(line);
    if (this.#flow !== undefined) {
      this.#flow.text += `\n${line}`;
      if (isClosed(this.#flow.text, this.#flow.closes)) this.#flow = undefined;
      return;
    }
    const content = line.trim();
    const indent = line.length - line.trimStart().length;
    if (this.#block !== undefined) {
      if (content === '' || indent > this.#block.column) return;
      this.#block = undefined;
    }
    if (content === '' || content.startsWith('#') || /^(?:---|\.\.\.)(?:\s|$)/.test(line)) return;
    const { typed, at } = this.enter(line, indent);
    this.#entry(typed, at);
  }

  /** Walks into the line's dashes; frames that the line ends are closed. */
  enter(line: string, indent: number): Entered {
    let rest = line.slice(indent);
    let at = indent;
    this.#leave(indent, /^-(?:\s|$)/.test(rest));
    let hasDash = false;
    for (let dash = /^-(?:\s+|$)/.exec(rest); dash; dash = /^-(?:\s+|$)/.exec(rest)) {
      this.#item(at);
      at += dash[0].length;
      rest = rest.slice(dash[0].length);
      hasDash = true;
    }
    const top = this.#frames.at(-1);
    const isKeyOf = !hasDash && top?.kind === 'map' && top.column === at;
    const needsDash = !hasDash && top?.kind === 'list' && top.column === at;
    return { path: this.#path(isKeyOf || needsDash ? -1 : 0), typed: rest, at, isKeyOf, needsDash };
  }

  /** Keys of the map whose entries stand at a column. */
  keysAt(column: number): readonly string[] {
    const top = this.#frames.at(-1);
    return top?.kind === 'map' && top.column === column ? top.keys : [];
  }

  #leave(indent: number, isItem: boolean): void {
    for (let top = this.#frames.at(-1); top; top = this.#frames.at(-1)) {
      const isDeeper = top.column > indent;
      // A list may stand at the column of the key it belongs to: the next key ends it.
      const isEnded = top.kind === 'list' && top.column === indent && !isItem && this.#isUnderKey(indent);
      if (!isDeeper && !isEnded) return;
      this.#frames.pop();
    }
  }

  #isUnderKey(column: number): boolean {
    const below = this.#frames.at(-2);
    return below?.kind === 'map' && below.column === column;
  }

  #item(column: number): void {
    const top = this.#frames.at(-1);
    if (top?.kind === 'list' && top.column === column) top.step = Number(top.step) + 1;
    else this.#frames.push({ kind: 'list', column, step: 0, keys: [] });
  }

  #entry(typed: string, column: number): void {
    const pair = splitKey(typed);
    if (pair) {
      let top = this.#frames.at(-1);
      if (top?.kind !== 'map' || top.column !== column) {
        top = { kind: 'map', column, step: pair.key, keys: [] };
        this.#frames.push(top);
      }
      top.step = pair.key;
      top.keys.push(pair.key);
    }
    this.#open((pair ? pair.value : typed).trim());
  }

  /** A text or brackets that go on in the next lines. */
  #open(value: string): void {
    const bare = value.replace(/^(?:[&!][^\s]*\s+)+/, '');
    const path = this.#path(0);
    const column = this.#frames.at(-1)?.column ?? -1;
    if (/^[|>][+\-0-9]*(?:\s+#.*)?$/.test(bare)) {
      this.#block = { column, path };
      return;
    }
    const first = bare[0];
    const closes =
      first === '[' || first === '{' ? 'brackets' : first === '"' || first === "'" ? first : undefined;
    if (closes !== undefined && !isClosed(bare, closes)) this.#flow = { text: bare, column, path, closes };
  }

  /** From the root to the innermost step; `-1` leaves the last one out. */
  #path(end: 0 | -1): Path {
    const frames = end === 0 ? this.#frames : this.#frames.slice(0, end);
    return frames.map(({ step }) => step);
  }
}

function isClosed(text: string, closes: 'brackets' | '"' | "'"): boolean {
  if (closes === '"') return /^"(?:[^"\\]|\\[^])*"/.test(text);
  if (closes === "'") return /^'(?:[^']|'')*'/.test(text);
  let depth = 0;
  let quote = '';
  for (let at = 0; at < text.length; at++) {
    const letter = text[at]!;
    if (quote !== '') {
      if (letter === '\\' && quote === '"') at++;
      else if (letter === quote) quote = '';
    } else if (/["']/.test(letter) && /[[{,:\s]/.test(text[at - 1] ?? ' ')) quote = letter;
    else if (letter === '#' && /\s/.test(text[at - 1] ?? ' ')) at = Math.max(at, text.indexOf('\n', at) - 1);
    else if (letter === '[' || letter === '{') depth++;
    else if ((letter === ']' || letter === '}') && --depth === 0) return true;
  }
  return false;
}
