import { readdir, stat } from 'node:fs/promises';
import { diagnostic } from '#shared/lens/diagnostics.ts';
import type { DiagnosticCode, DiagnosticExtras } from '#shared/lens/diagnostics.ts';
import { openYaml } from '#shared/lens/yaml/open.ts';
import type { YamlSource } from '#shared/lens/yaml/source.ts';
import type { Diagnostic, Location, QuickFix } from '#shared/model/diagnostic.ts';
import type { Lens } from '#shared/model/lens.ts';
import type { Library } from '#shared/model/library.ts';
import type { FountReference } from '../fount/fount-reference.ts';
import type { Footprint } from './footprint.ts';
import { placeInside } from './place.ts';
import type { Place, SourceFile } from './place.ts';
import type { ReadCache, ReadValue, Unreadable } from './read-cache.ts';

/** A fetched package of skills. */
export interface FountPackage {
  readonly name: string;
  readonly version: string;
  readonly folder: string;
}

/** What resolving may look at; it runs nothing and writes nothing. */
export interface ResolveOptions {
  readonly workspace: Place;
  /** The shipped library `sunwell/common`. */
  readonly builtin: Place;
  readonly cache: ReadCache;
  /** Lens files of the workspace, then of the user, by the name people call them. */
  readonly lensesNamed: (name: string) => Promise<readonly SourceFile[]>;
  /** Library files of the workspace, to name candidates from. */
  readonly workspaceLibraries: () => Promise<readonly SourceFile[]>;
  /** The package a lens asks for; a StudioError says why there is none. */
  readonly fount: (reference: FountReference) => Promise<FountPackage>;
  /** Texts of an editor that are not yet on disk, by path. */
  readonly unsaved?: ReadonlyMap<string, string>;
  /** What `enabled` conditions are checked against. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly parameters: Readonly<Record<string, string>>;
  /** Where everything that is looked at is written down. */
  readonly footprint?: Footprint;
}

/** What is said of a file that cannot be read. */
export const unreadableReasons: Readonly<Record<Unreadable, string>> = {
  missing: 'there is no such file',
  'no-file': 'it is not a regular file',
  denied: 'you have no right to read it',
  'too-large': 'it is larger than 1 MiB',
  'not-text': 'it is not UTF-8 text',
  unreadable: 'it cannot be read',
};

type TextRead = { readonly text: string } | { readonly problem: string };

/** One resolution under way: reads files once, gathers diagnostics once each. */
export class Session {
  readonly options: ResolveOptions;
  readonly #diagnostics: Diagnostic[] = [];
  readonly #readFiles = new Set<string>();
  readonly #reported = new Set<string>();
  readonly #sources = new Map<string, YamlSource>();
  #fixesLeft = 25;
  #lettersLeft = 500_000;

  constructor(options: ResolveOptions) {
    this.options = options;
  }

  get diagnostics(): readonly Diagnostic[] {
    return this.#diagnostics;
  }

  report(code: DiagnosticCode, at: Location, message: string, extras?: DiagnosticExtras): void {
    // A file that several entries name would otherwise be reported once for each of them.
    const key = `${code}\0${at.file}\0${at.line}\0${at.column}\0${message}`;
    if (this.#reported.has(key)) return;
    this.#reported.add(key);
    this.#diagnostics.push(diagnostic(code, at, message, extras));
  }

  text(path: string): TextRead {
    this.options.footprint?.look(path);
    return this.#text(path);
  }

  /** A text that the resolution holds and does not read: with another one, nothing else of it would be different. */
  heldText({ path, file }: SourceFile): TextRead {
    const { footprint } = this.options;
    footprint?.stamp(path);
    const read = this.#text(path);
    if ('text' in read) footprint?.hold(path, file);
    else footprint?.look(path);
    return read;
  }

  #text(path: string): TextRead {
    const unsaved = this.options.unsaved?.get(path);
    if (unsaved !== undefined) return { text: unsaved };
    const result = this.options.cache.text(path);
    return 'text' in result ? { text: result.text } : { problem: unreadableReasons[result.unreadable] };
  }

  /** What is at a path, links followed. */
  async kindAt(path: string): Promise<'file' | 'folder' | undefined> {
    this.options.footprint?.look(path);
    const found = await stat(path).catch(() => undefined);
    if (found?.isFile()) return 'file';
    return found?.isDirectory() ? 'folder' : undefined;
  }

  /** The names in a folder, in order; a folder that is not there has none. */
  async namesIn(folder: string): Promise<readonly string[]> {
    this.options.footprint?.look(folder);
    return (await readdir(folder).catch(() => [])).sort();
  }

  /** The file that a script or resource path names, or undefined where it leaves the place of its definition. */
  fileInside(from: SourceFile, relativePath: string): SourceFile | undefined {
    return placeInside(from, relativePath, (path) => this.options.footprint?.follow(path));
  }

  async lens(source: SourceFile): Promise<ReadValue<Lens> | { problem: string }> {
    const result = this.text(source.path);
    return 'text' in result ? this.#gather(source, this.options.cache.lens(source, result.text)) : result;
  }

  async library(source: SourceFile): Promise<ReadValue<Library> | { problem: string }> {
    const result = this.text(source.path);
    return 'text' in result ? this.#gather(source, this.options.cache.library(source, result.text)) : result;
  }

  /**
   * Quick fixes in a file's text. Each is checked by reading the edited text again, so a lens with hundreds of problems
   * gets them for the first ones only, and for fewer the longer it is: all else that typing waits for takes less time.
   */
  async fixes(
    source: SourceFile,
    make: (yaml: YamlSource) => readonly QuickFix[],
  ): Promise<readonly QuickFix[]> {
    if (this.#fixesLeft <= 0 || this.#lettersLeft <= 0) return [];
    const read = this.text(source.path);
    if ('problem' in read) return [];
    let yaml = this.#sources.get(source.path);
    if (!yaml) {
      yaml = openYaml(read.text, source.file).source;
      this.#sources.set(source.path, yaml);
    }
    if (yaml.isBroken) return [];
    const fixes = make(yaml);
    const tried = Math.max(1, fixes.length);
    this.#fixesLeft -= tried;
    this.#lettersLeft -= tried * read.text.length;
    return fixes;
  }

  /** The problems of a file that several lenses use are reported once. */
  #gather<T>(source: SourceFile, read: ReadValue<T>): ReadValue<T> {
    if (!this.#readFiles.has(source.path)) {
      this.#readFiles.add(source.path);
      this.#diagnostics.push(...read.diagnostics);
    }
    return read;
  }
}
