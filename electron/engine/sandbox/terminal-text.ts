type State = 'text' | 'escape' | 'control' | 'string' | 'string-escape' | 'intermediate';

/**
 * Takes out what a terminal would act on: escape sequences, control characters and their eight-bit forms.
 * Works on chunks, so that a sequence cut in two is still one; a line end closes an unfinished one, so that it cannot
 * swallow the rest of the output.
 */
export class TerminalTextCleaner {
  #state: State = 'text';
  #endsInReturn = false;
  /** What the sequence under way says so far; undefined once it says too much to be about colours. */
  #parameters: string | undefined = '';

  /** The text alone; `onColours` is told of the sequences that choose colours, and where in the text each of them stood. */
  clean(chunk: string, onColours?: (parameters: string, at: number) => void): string {
    // Most output has nothing to take out, and this is many times faster than looking at each character.
    if (this.#state === 'text' && !this.#endsInReturn && !actedOn.test(chunk)) return chunk;
    let text = '';
    for (const character of chunk) {
      const isInControl = this.#state === 'control';
      text += this.#next(character, character.codePointAt(0)!);
      if (!isInControl) this.#parameters = '';
      else if (this.#state === 'control') this.#remember(character);
      else if (character === 'm' && this.#parameters !== undefined)
        onColours?.(this.#parameters, text.length);
    }
    return text;
  }

  #remember(character: string): void {
    if (this.#parameters !== undefined && this.#parameters.length < longestParameters) {
      this.#parameters += character;
    } else this.#parameters = undefined;
  }

  #next(character: string, code: number): string {
    const isAfterReturn = this.#endsInReturn;
    this.#endsInReturn = code === 0x0d;
    if (code === 0x0a || code === 0x0d) {
      this.#state = 'text';
      return code === 0x0a && isAfterReturn ? '' : '\n';
    }
    // CAN and SUB end any sequence.
    if (code === 0x18 || code === 0x1a) this.#state = 'text';
    else if (this.#state === 'text') return this.#inText(character, code);
    else this.#inSequence(code);
    return '';
  }

  #inText(character: string, code: number): string {
    if (code === 0x1b) this.#state = 'escape';
    else if (code === 0x9b) this.#state = 'control';
    else if (isStringStart8.has(code)) this.#state = 'string';
    else if (code === 0x09 || (code >= 0x20 && code < 0x7f) || code > 0x9f) return character;
    return '';
  }

  #inSequence(code: number): void {
    if (this.#state === 'string') {
      if (code === 0x07 || code === 0x9c) this.#state = 'text';
      else if (code === 0x1b) this.#state = 'string-escape';
    } else if (this.#state === 'string-escape') {
      this.#state = code === 0x5c ? 'text' : 'string';
    } else if (code === 0x1b) {
      this.#state = 'escape';
    } else if (this.#state === 'escape') {
      if (code === 0x5b) this.#state = 'control';
      else if (isStringStart7.has(code)) this.#state = 'string';
      else this.#state = code >= 0x20 && code <= 0x2f ? 'intermediate' : 'text';
    } else if (this.#state === 'control') {
      if (code >= 0x40 && code <= 0x7e) this.#state = 'text';
    } else if (code >= 0x30) {
      this.#state = 'text';
    }
  }
}

const longestParameters = 64;

/** DCS, SOS, OSC, PM and APC: everything up to their end is for the terminal. */
const isStringStart7 = new Set([0x50, 0x58, 0x5d, 0x5e, 0x5f]);
const isStringStart8 = new Set([0x90, 0x98, 0x9d, 0x9e, 0x9f]);

const actedOn = /[^\t\n\x20-\x7e\xa0-\u{10ffff}]/u;

/** The same for a whole text. */
export function cleanTerminalText(text: string): string {
  return new TerminalTextCleaner().clean(text);
}
