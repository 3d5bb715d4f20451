import { readFile, stat } from 'node:fs/promises';
import { readLens } from '#shared/lens/read/lens.ts';
import { readLibrary } from '#shared/lens/read/library.ts';
import type { Diagnostic } from '#shared/model/diagnostic.ts';
import type { Lens } from '#shared/model/lens.ts';
import type { Library } from '#shared/model/library.ts';
import { decodeText, maxTextBytes } from './held-texts.ts';
import type { SourceFile } from './place.ts';

/** What a file says, with its problems and the text they point into. */
export interface ReadValue<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
  readonly text: string;
}

/** Why a file could not be read as text. */
export type Unreadable = 'missing' | 'too-large' | 'not-text' | 'unreadable';

type TextResult = { readonly text: string } | { readonly unreadable: Unreadable };

const clockTickMs = 50;

/** Reads files for the resolver; a file whose stat is unchanged is not read again, a text that is equal not parsed again. */
export class ReadCache {
  readonly #texts = new Map<string, { stamp: string; isRecent: boolean; text: string }>();
  readonly #parsed = new Map<string, ReadValue<unknown>>();
  #parses = 0;

  /** How many texts were parsed so far: an unchanged workspace adds none. */
  get parses(): number {
    return this.#parses;
  }

  async text(path: string): Promise<TextResult> {
    try {
      const found = await stat(path);
      if (!found.isFile()) return { unreadable: 'unreadable' };
      if (found.size > maxTextBytes) return { unreadable: 'too-large' };
      const stamp = `${found.size}:${found.mtimeMs}:${found.ctimeMs}:${found.ino}`;
      const known = this.#texts.get(path);
      if (known?.stamp === stamp && !known.isRecent) return known;
      // A file changed within a tick of the clock keeps its times, so what is that fresh is read again.
      const isRecent = Date.now() - Math.max(found.mtimeMs, found.ctimeMs) < clockTickMs;
      const bytes = await readFile(path);
      const entry = {
        stamp,
        isRecent,
        text: decodeText(bytes),
      };
      this.#texts.set(path, entry);
      return entry;
    } catch (error) {
      return { unreadable: unreadable(error) };
    }
  }

  lens(source: SourceFile, text: string): ReadValue<Lens> {
    return this.#read('lens', source.file, text, readLens);
  }

  library(source: SourceFile, text: string): ReadValue<Library> {
    return this.#read('library', source.file, text, readLibrary);
  }

  #read<T>(
    kind: string,
    file: string,
    text: string,
    read: (text: string, file: string) => { value: T; diagnostics: readonly Diagnostic[] },
  ): ReadValue<T> {
    const key = `${kind}\0${file}`;
    const known = this.#parsed.get(key);
    if (known?.text === text) return known as ReadValue<T>;
    this.#parses++;
    const { value, diagnostics } = read(text, file);
    const parsed = { value, diagnostics, text };
    this.#parsed.set(key, parsed);
    return parsed;
  }
}

function unreadable(error: unknown): Unreadable {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
  return error instanceof TypeError ? 'not-text' : 'unreadable';
}
