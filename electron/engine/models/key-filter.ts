const mark = '[redacted]';
/** A shorter value is likely to be an ordinary word. */
const shortestKey = 8;

/** Takes the key out of a text: a server that repeats it must not bring it into a file, a log or a page. */
export function withoutKey(text: string, key: string | undefined): string {
  return key === undefined || key.length < shortestKey
    ? text
    : formsOf(key).reduce((safe, form) => safe.replaceAll(form, mark), text);
}

/** The same for a text that comes in pieces: holds back what may be the start of the key until it is known. */
export class KeyFilter {
  readonly #forms: readonly string[];
  #held = '';

  constructor(key: string | undefined) {
    this.#forms = key === undefined || key.length < shortestKey ? [] : formsOf(key);
  }

  push(piece: string): string {
    const text = this.#forms.reduce((safe, form) => safe.replaceAll(form, mark), this.#held + piece);
    const keep = Math.max(0, ...this.#forms.map((form) => overlap(text, form)));
    this.#held = text.slice(text.length - keep);
    return text.slice(0, text.length - keep);
  }

  flush(): string {
    const rest = this.#held;
    this.#held = '';
    return rest;
  }
}

function formsOf(key: string): string[] {
  const base64 = Buffer.from(key).toString('base64');
  // With and without padding, and without the last letter, which differs when more follows the key.
  const cut = base64.replace(/=+$/, '').slice(0, -1);
  const forms = [key, base64, cut, encodeURIComponent(key), JSON.stringify(key).slice(1, -1)];
  return [...new Set(forms)].sort((a, b) => b.length - a.length);
}

/** How much of the end of a text could be the start of a word. */
function overlap(text: string, word: string): number {
  for (let length = Math.min(text.length, word.length - 1); length > 0; length--) {
    if (text.endsWith(word.slice(0, length))) return length;
  }
  return 0;
}
