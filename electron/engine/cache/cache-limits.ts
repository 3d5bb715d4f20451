import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** How much is kept, and for how long. */
export interface CacheLimits {
  readonly maxBytes: number;
  /** Since the last use. */
  readonly maxAgeMs: number;
  readonly maxEntries: number;
  /** Of one result with its proposed files. */
  readonly maxEntryBytes: number;
}

const usualLimits: CacheLimits = {
  maxBytes: 2 * 1024 ** 3,
  maxAgeMs: 30 * 24 * 60 * 60 * 1000,
  maxEntries: 100_000,
  maxEntryBytes: 256 * 1024 ** 2,
};

/**
 * The limits that the user's `config.yaml` sets, with the usual ones where it sets none; what `said` has comes before both.
 * Reading YAML is left to those who can wait: it would take a command longer than all that it finds in the cache.
 */
export class LimitsReader {
  readonly #home: string;
  readonly #said: Partial<CacheLimits>;
  #text: string | undefined;
  #isRead = false;
  #last: CacheLimits;

  constructor(home: string, said: Partial<CacheLimits>) {
    this.#home = home;
    this.#said = said;
    this.#last = { ...usualLimits, ...said };
  }

  /** No configuration has it. */
  get maxEntryBytes(): number {
    return this.#last.maxEntryBytes;
  }

  /** As they were when they were last looked at; undefined where they have to be read first. Looks at no file. */
  get last(): CacheLimits | undefined {
    return this.#isRead ? this.#last : undefined;
  }

  /** As the configuration has them now; undefined where they have to be read first. */
  known(): CacheLimits | undefined {
    const text = this.#configText();
    if (text !== this.#text) {
      this.#text = text;
      this.#isRead = text !== undefined && !text.includes('cache');
      if (this.#isRead) this.#last = { ...usualLimits, ...this.#said };
    }
    return this.last;
  }

  /** Never rejects. */
  async read(): Promise<CacheLimits> {
    const known = this.known();
    if (known) return known;
    const text = this.#text;
    const { readConfig } = await import('#shared/lens/read/config.ts');
    const { value, diagnostics } = readConfig(text ?? '', 'config.yaml');
    if (text !== this.#text) return this.read();
    const isUnreadable = text === undefined || diagnostics.some(({ severity }) => severity === 'error');
    // In the middle of an edit a raised limit is not there for a moment: results must not go for that.
    if (!isUnreadable || Object.keys(value.cache).length > 0) {
      this.#last = { ...usualLimits, ...value.cache, ...this.#said };
    }
    this.#isRead = true;
    return this.#last;
  }

  #configText(): string | undefined {
    try {
      return readFileSync(join(this.#home, 'config.yaml'), 'utf8');
    } catch (error) {
      return (error as NodeJS.ErrnoException).code === 'ENOENT' ? '' : undefined;
    }
  }
}
