import { statSync } from 'node:fs';
import { outlineOf } from '#shared/lens/outline.ts';
import type { Outline } from '#shared/lens/outline.ts';
import { readLens } from '#shared/lens/read/lens.ts';
import { readLibrary } from '#shared/lens/read/library.ts';
import { openYaml } from '#shared/lens/yaml/open.ts';
import type { OpenedYaml } from '#shared/lens/yaml/open.ts';
import type { Diagnostic } from '#shared/model/diagnostic.ts';
import type { Lens } from '#shared/model/lens.ts';
import type { Library } from '#shared/model/library.ts';
import { decodeText, maxTextBytes, readBytes } from './held-texts.ts';
import type { SourceFile } from './place.ts';

/** What a file says, with its problems and the text they point into. */
export interface ReadValue<T> {
  readonly value: T;
  readonly diagnostics: readonly Diagnostic[];
  readonly text: string;
}

/** Why a file could not be read as text. */
export type Unreadable = 'missing' | 'no-file' | 'denied' | 'too-large' | 'not-text' | 'unreadable';

type TextResult = { readonly text: string } | { readonly unreadable: Unreadable };

const readers = { lens: readLens, library: readLibrary };
type Kind = keyof typeof readers;

const clockTickMs = 50;
/** Of more text nothing is kept that nobody has resolved yet: what is read of it takes twelve times its room. */
const maxAheadChars = 4 * 1024 * 1024;

/** Reads files for the resolver; a file whose stat is unchanged is not read again, a text that is equal not parsed again. */
export class ReadCache {
  readonly #texts = new Map<string, { stamp: string; isRecent: boolean; text: string }>();
  readonly #parsed = new Map<string, ReadValue<unknown>>();
  #parses = 0;
  #aheadChars = 0;

  /** How many texts were parsed so far: an unchanged workspace adds none. */
  get parses(): number {
    return this.#parses;
  }

  /** Without waiting: a graph reads a thousand small files, and to be told of each by another thread takes ten times as long. */
  text(path: string): TextResult {
    try {
      const found = statSync(path);
      if (!found.isFile()) return { unreadable: 'no-file' };
      if (found.size > maxTextBytes) return { unreadable: 'too-large' };
      const stamp = `${found.size}:${found.mtimeMs}:${found.ctimeMs}:${found.ino}`;
      const known = this.#texts.get(path);
      if (known?.stamp === stamp && !known.isRecent) return known;
      // A file changed within a tick of the clock keeps its times, so what is that fresh is read again.
      const isRecent = Date.now() - Math.max(found.mtimeMs, found.ctimeMs) < clockTickMs;
      const entry = { stamp, isRecent, text: decodeText(readBytes(path)) };
      this.#texts.set(path, entry);
      return entry;
    } catch (error) {
      return { unreadable: unreadable(error) };
    }
  }

  lens({ file }: SourceFile, text: string): ReadValue<Lens> {
    return this.#read('lens', file, text) as ReadValue<Lens>;
  }

  library({ file }: SourceFile, text: string): ReadValue<Library> {
    return this.#read('library', file, text) as ReadValue<Library>;
  }

  /** The outline of a file of the workspace, which is read as a whole with it: whoever resolves it need not parse it again. */
  outline(kind: Kind, file: string, text: string): Outline {
    const opened = openYaml(text, file);
    const outline = outlineOf(opened);
    const isKnown = this.#parsed.has(keyOf(kind, file));
    if (!isKnown) this.#aheadChars += text.length;
    if (isKnown || this.#aheadChars <= maxAheadChars) this.#read(kind, file, text, opened);
    return outline;
  }

  #read(kind: Kind, file: string, text: string, opened?: OpenedYaml): ReadValue<unknown> {
    const key = keyOf(kind, file);
    const known = this.#parsed.get(key);
    if (known?.text === text) return known;
    this.#parses++;
    const { value, diagnostics } = readers[kind](text, file, opened);
    const parsed = { value, diagnostics, text };
    this.#parsed.set(key, parsed);
    return parsed;
  }
}

function keyOf(kind: Kind, file: string): string {
  return `${kind}\0${file}`;
}

function unreadable(error: unknown): Unreadable {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return 'missing';
  if (code === 'EACCES' || code === 'EPERM') return 'denied';
  return error instanceof TypeError ? 'not-text' : 'unreadable';
}
