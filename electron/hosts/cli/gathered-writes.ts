import type { Sink } from './terminal.ts';

/**
 * Writes once for everything that is said in one go: a thousand lines by themselves take longer than making them, and what the
 * words tell of is done before. What is said on one stream comes after what was said on another before; a terminal gets each
 * line at once.
 */
export class GatheredWrites {
  #pending: { readonly stream: Sink; text: string } | undefined;

  sinkOf(stream: Sink): Sink {
    if (stream.isTTY) return stream;
    return { write: (text) => this.#write(stream, text) };
  }

  /** Writes what is still held back. */
  readonly flush = (): void => {
    const held = this.#pending;
    this.#pending = undefined;
    held?.stream.write(held.text);
  };

  #write(stream: Sink, text: string): void {
    if (this.#pending?.stream === stream) {
      this.#pending.text += text;
      return;
    }
    this.flush();
    this.#pending = { stream, text };
    setImmediate(this.flush);
  }
}
