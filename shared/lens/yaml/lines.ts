import type { Location } from '../../model/diagnostic.ts';

/** Turns UTF-16 offsets of one text into 1-based lines and columns; a byte order mark takes no column. */
export class Lines {
  readonly #starts: number[];
  #last = 0;

  constructor(text: string) {
    this.#starts = [text.charCodeAt(0) === 0xfeff ? 1 : 0];
    for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) this.#starts.push(at + 1);
  }

  /** The place between two offsets of the text, in the named file. */
  location(file: string, start: number, end: number): Location {
    const line = this.#lineOf(start);
    const endLine = end < (this.#starts[line + 1] ?? Infinity) ? line : this.#lineOf(end);
    return {
      file,
      line: line + 1,
      column: Math.max(0, start - this.#starts[line]!) + 1,
      endLine: endLine + 1,
      endColumn: Math.max(0, end - this.#starts[endLine]!) + 1,
    };
  }

  #lineOf(offset: number): number {
    // Files are read from top to bottom: the line is nearly always one of the next few.
    let low = this.#starts[this.#last]! <= offset ? this.#last : 0;
    let high = Math.min(low + 8, this.#starts.length - 1);
    if (this.#starts[high]! <= offset) high = this.#starts.length - 1;
    while (low < high) {
      const middle = (low + high + 1) >> 1;
      if (this.#starts[middle]! <= offset) low = middle;
      else high = middle - 1;
    }
    this.#last = low;
    return low;
  }
}
