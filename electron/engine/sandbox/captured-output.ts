import type { StyledSpan } from '#shared/model/output-style.ts';
import { OutputStyles } from '#shared/output-styles.ts';
import { TerminalTextCleaner } from './terminal-text.ts';

export const truncationMark = '[OUTPUT TRUNCATED]';

/** Hears a piece of clean text, and how parts of it look. */
export type OnText = (text: string, styles: readonly StyledSpan[]) => void;

/** Keeps the first bytes of a stream as clean text, passes them on as they come, and counts the rest. */
export class CapturedOutput {
  readonly #limit: number;
  readonly #onText: OnText;
  readonly #decoder = new TextDecoder('utf-8');
  readonly #cleaner = new TerminalTextCleaner();
  readonly #styles = new OutputStyles();
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
  }

  /** The whole text that was kept, marked when it is not all. */
  end(): string {
    this.#add(this.#decoder.decode());
    if (this.isTruncated) this.#emit(`${this.#text.endsWith('\n') ? '' : '\n'}${truncationMark}\n`);
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
