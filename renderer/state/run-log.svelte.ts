import type { StyledSpan } from '#shared/model/output-style.ts';
import { spansWithin } from '#shared/output-styles.ts';

/** One line that a script printed or a model wrote. */
export interface LogLine {
  readonly number: number;
  readonly skill: string;
  readonly stream: 'stdout' | 'stderr' | 'model';
  readonly text: string;
  /** The parts of it that the script coloured. */
  readonly styles?: readonly StyledSpan[];
}

type Piece = Pick<LogLine, 'text' | 'styles'>;

/** Beyond this the oldest lines go: a script that prints without end must not fill the window's memory. */
const mostLines = 100_000;
const mostCharacters = 32_000_000;
const longestLine = 10_000;
/** Every part is an element: a line that changes its colour with each letter must not freeze the page. */
const mostStyles = 100;

/** What the scripts of a run printed, as lines. Not deeply reactive: readers follow `version`. */
export class RunLog {
  #lines: LogLine[] = [];
  #open = new Map<string, LogLine>();
  #next = 1;
  #characters = 0;
  #version = $state.raw(0);

  /** Changes whenever a line is added or grows. */
  get version(): number {
    return this.#version;
  }

  /** The list itself, which changes with `version`: whoever keeps it over a change makes a copy. */
  get lines(): readonly LogLine[] {
    void this.#version;
    return this.#lines;
  }

  /** Lines that were dropped because there are too many. */
  get dropped(): number {
    void this.#version;
    return this.#next - 1 - this.#lines.length;
  }

  /** How many lines, from the first that is kept, will not change any more. */
  get settled(): number {
    void this.#version;
    const first = this.#lines[0]?.number ?? this.#next;
    const open = Math.min(this.#next, ...[...this.#open.values()].map(({ number }) => number));
    return Math.max(0, open - first);
  }

  /** Adds a piece of output; a line goes on where the last piece of the same script's stream ended. */
  append(
    { skill, stream }: Pick<LogLine, 'skill' | 'stream'>,
    chunk: string,
    styles: readonly StyledSpan[] = [],
  ): void {
    const key = `${stream} ${skill}`;
    const parts = chunk.split('\n');
    let start = 0;
    let style = 0;
    for (const [i, text] of parts.entries()) {
      const isLast = i === parts.length - 1;
      if (isLast && text === '') break;
      while (style < styles.length && styles[style]!.end <= start) style++;
      const near = styles.slice(style, style + mostStyles);
      const piece = { text, styles: spansWithin(near, { start, end: start + text.length }) };
      const open = this.#open.get(key);
      const line = open ? this.#grow(open, piece) : this.#push({ skill, stream }, piece);
      if (isLast) this.#open.set(key, line);
      else this.#open.delete(key);
      start += text.length + 1;
    }
    this.#trim();
    this.#version++;
  }

  clear(): void {
    this.#lines = [];
    this.#open.clear();
    this.#next = 1;
    this.#characters = 0;
    this.#version++;
  }

  #push(from: Pick<LogLine, 'skill' | 'stream'>, piece: Piece): LogLine {
    const line = { number: this.#next++, ...from, ...cut(piece) };
    this.#lines.push(line);
    this.#characters += line.text.length;
    return line;
  }

  #grow(line: LogLine, { text, styles = [] }: Piece): LogLine {
    const end = line.text.length;
    const added = spansWithin(styles, { start: 0, end: text.length }, end);
    const grown = { ...line, ...cut({ text: line.text + text, styles: [...(line.styles ?? []), ...added] }) };
    const first = this.#lines[0]?.number ?? this.#next;
    if (line.number >= first) {
      this.#lines[line.number - first] = grown;
      this.#characters += grown.text.length - end;
    }
    return grown;
  }

  /** In blocks, so that a flood does not move the whole list for every line. */
  #trim(): void {
    if (this.#lines.length <= mostLines * 1.1 && this.#characters <= mostCharacters * 1.1) return;
    let first = this.#lines.length;
    let characters = 0;
    const least = Math.max(0, this.#lines.length - mostLines);
    while (first > least && characters + this.#lines[first - 1]!.text.length <= mostCharacters) {
      characters += this.#lines[--first]!.text.length;
    }
    this.#lines = this.#lines.slice(first);
    this.#characters = characters;
  }
}

function cut({ text, styles = [] }: Piece): Piece {
  const short = text.slice(0, longestLine);
  const kept = spansWithin(styles.slice(0, mostStyles), { start: 0, end: short.length });
  return kept.length > 0 ? { text: short, styles: kept } : { text: short };
}
