import type { StyledSpan } from '#shared/model/output-style.ts';
import { OutputStyles } from '#shared/output-styles.ts';
import { LastBytes } from './last-bytes.ts';
import { TerminalTextCleaner } from './terminal-text.ts';

export const truncationMark = '[OUTPUT TRUNCATED]';
/** Kept behind the mark: a script says at its end why it failed. */
export const tailBytes = 64 * 1024;

/** Hears a piece of clean text, and how parts of it look. */
export type OnText = (text: string, styles: readonly StyledSpan[]) => void;

/** Keeps the first and the last bytes of a stream as clean text, passes the first on as they come, and counts the rest. */
export class CapturedOutput {
  readonly #limit: number;
  readonly #onText: OnText;
  readonly #tail = new LastBytes(tailBytes);
  #decoder = new TextDecoder('utf-8');
  #cleaner = new TerminalTextCleaner();
  #styles = new OutputStyles();
  #text = '';
  #bytesSeen = 0;

  constructor(limit: number, onText: OnText) {
    this.#limit = limit;
    this.#onText = onText;
  }

  get bytesSeen(): number {
    return this.#bytesSeen;
  }

  get isTruncated(): boolean {
    return this.#bytesSeen > this.#limit;
  }

  push(bytes: Uint8Array): void {
    const room = this.#limit - this.#bytesSeen;
    this.#bytesSeen += bytes.length;
    if (room > 0) this.#add(this.#decoder.decode(bytes.subarray(0, room), { stream: true }));
    if (bytes.length > room) this.#tail.push(bytes.subarray(Math.max(0, room)));
  }

  /** The whole text that was kept, marked where some of it is missing. */
  end(): string {
    this.#add(this.#decoder.decode());
    if (!this.isTruncated) return this.#text;
    this.#emit(`${this.#text.endsWith('\n') ? '' : '\n'}${truncationMark}\n`);
    // What a sequence before the gap began says nothing about what comes after it.
    this.#decoder = new TextDecoder('utf-8');
    this.#cleaner = new TerminalTextCleaner();
    this.#styles = new OutputStyles();
    this.#add(this.#decoder.decode(this.#tail.whole()));
    return this.#text;
  }

  #add(text: string): void {
    const clean = this.#cleaner.clean(text, (parameters, at) => this.#styles.change(parameters, at));
    this.#emit(clean, this.#styles.take(clean.length));
  }

  #emit(text: string, styles: readonly StyledSpan[] = []): void {
    if (text === '') return;
    this.#text += text;
    this.#onText(text, styles);
  }
}
