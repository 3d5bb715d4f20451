import type { Change } from '#shared/lens/edit/text-lines.ts';

const lineBreak = /\r\n|\r|\n/g;
const byteOrderMark = '\uFEFF';

/** A change as an editor tells it: in a text with one kind of line break and no byte order mark. */
export interface EditorChange {
  readonly range: { startLineNumber: number; startColumn: number; endLineNumber: number; endColumn: number };
  readonly rangeOffset: number;
  readonly rangeLength: number;
  readonly text: string;
}

/** The change of a document's text behind an editor's; the mark, and the breaks of lines not touched, stay as they are. */
export function documentChange(text: string, change: EditorChange): Change {
  if (!text.includes('\r')) {
    const start = change.rangeOffset + (text.startsWith(byteOrderMark) ? 1 : 0);
    return { start, end: start + change.rangeLength, text: change.text.replace(lineBreak, '\n') };
  }
  const { startLineNumber, startColumn, endLineNumber, endColumn } = change.range;
  const lines = new DocumentLines(text);
  return {
    start: lines.offset(startLineNumber, startColumn),
    end: lines.offset(endLineNumber, endColumn),
    text: change.text.replace(lineBreak, lines.breakAt(startLineNumber)),
  };
}

/** The document's text as an editor holds it, with bare line feeds. */
export function editorText(text: string): string {
  return (text.startsWith(byteOrderMark) ? text.slice(1) : text).replace(lineBreak, '\n');
}

/** Where the lines of a document begin, as an editor counts them: a lone carriage return ends one too. */
export class DocumentLines {
  readonly #text: string;
  readonly #starts: number[];

  constructor(text: string) {
    this.#text = text;
    this.#starts = [text.startsWith(byteOrderMark) ? 1 : 0];
    for (const { index, 0: found } of text.matchAll(lineBreak)) this.#starts.push(index + found.length);
  }

  offset(line: number, column: number): number {
    return this.#starts[line - 1]! + column - 1;
  }

  position(offset: number): { lineNumber: number; column: number } {
    const next = this.#starts.findIndex((start) => start > offset);
    const lineNumber = next < 0 ? this.#starts.length : Math.max(1, next);
    return { lineNumber, column: Math.max(1, offset - this.#starts[lineNumber - 1]! + 1) };
  }

  /** The break at the end of a line; the last line takes that of the line before. */
  breakAt(line: number): string {
    const end = this.#starts[line] ?? this.#starts[line - 1]!;
    return /(?:\r\n|\r|\n)$/.exec(this.#text.slice(Math.max(0, end - 2), end))?.[0] ?? '\n';
  }
}
