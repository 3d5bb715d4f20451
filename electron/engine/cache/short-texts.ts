import type { Digest } from '#shared/model/fingerprint.ts';
import { digestOf } from '../store/digest.ts';

/** What a line of the index takes to name a blob: the digest, in quotes. */
const longestInLine = 66;

/** Whether a line of the index gets no longer when it holds the text itself, so that it needs no file. */
export function fitsLine(text: string): boolean {
  return text.length < longestInLine && JSON.stringify(text).length <= longestInLine;
}

/** Who holds texts in its line. */
interface Holder {
  readonly texts?: readonly string[];
}

/** The texts that lines of the index hold, by digest. */
export class ShortTexts {
  /** With how many hold each. */
  readonly #held = new Map<Digest, { readonly text: string; holders: number }>();

  constructor(holders: Iterable<Holder>) {
    for (const holder of holders) this.add(holder);
  }

  get(digest: Digest): string | undefined {
    return this.#held.get(digest)?.text;
  }

  add({ texts = [] }: Holder): void {
    for (const text of texts) {
      const digest = digestOf(text);
      const held = this.#held.get(digest);
      if (held) held.holders++;
      else this.#held.set(digest, { text, holders: 1 });
    }
  }

  remove({ texts = [] }: Holder): void {
    for (const text of texts) {
      const digest = digestOf(text);
      const held = this.#held.get(digest);
      if (held && --held.holders === 0) this.#held.delete(digest);
    }
  }
}
