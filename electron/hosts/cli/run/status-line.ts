/** One line at the bottom of a terminal that is replaced by the next; nothing at all where output is kept in a file. */
export class StatusLine {
  readonly #stream: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number };
  #isShown = false;

  constructor(stream: { write(text: string): unknown; readonly isTTY?: boolean; readonly columns?: number }) {
    this.#stream = stream;
  }

  show(text: string): void {
    if (!this.#stream.isTTY) return;
    // A line that wraps could not be taken away again. Some terminals do not know how wide they are, and say 0.
    const width = (this.#stream.columns || 80) - 1;
    this.#stream.write(`\r\u001b[2K${text.slice(0, width)}`);
    this.#isShown = true;
  }

  clear(): void {
    if (!this.#isShown) return;
    this.#stream.write('\r\u001b[2K');
    this.#isShown = false;
  }
}
