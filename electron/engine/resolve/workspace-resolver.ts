import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { lookupName } from '#shared/lens/names.ts';
import type { LibraryReference } from '#shared/lens/reference.ts';
import type { WorkspaceFounts } from '../fount/workspace-founts.ts';
import { classify } from '../workspace/discovery.ts';
import { Libraries } from './libraries.ts';
import { sourceFile } from './place.ts';
import type { Place, SourceFile } from './place.ts';
import { ReadCache } from './read-cache.ts';
import { resolveLens, resolveLibrary } from './resolve.ts';
import type { Resolution } from './resolve.ts';
import { Session } from './session.ts';
import type { ResolveOptions } from './session.ts';

export interface WorkspaceResolverOptions {
  readonly root: string;
  /** The user's folder, whose `lenses` are found by name. */
  readonly home: string;
  /** The folder of the shipped library `sunwell/common`. */
  readonly library: string;
  readonly founts: WorkspaceFounts;
  /** The lens and library files of the workspace. */
  readonly files: () => Promise<readonly string[]>;
}

/** What a caller may add to one resolution. */
export interface ResolveRequest {
  /** Texts of an editor that are not yet on disk, by file. */
  readonly unsaved?: ReadonlyMap<string, string>;
  readonly environment?: Readonly<Record<string, string | undefined>>;
  readonly parameters?: Readonly<Record<string, string>>;
}

/** Resolves lenses and libraries of one workspace; keeps what was read until the bytes change. */
export class WorkspaceResolver {
  readonly #options: WorkspaceResolverOptions;
  readonly #workspace: Place;
  readonly cache = new ReadCache();

  constructor(options: WorkspaceResolverOptions) {
    this.#options = options;
    this.#workspace = { root: options.root, label: '' };
  }

  resolve(file: string, request: ResolveRequest = {}): Promise<Resolution> {
    return this.resolveAs(classify(file) === 'library' ? 'library' : 'lens', this.source(file), request);
  }

  /** Resolves a file whose name does not say what it is, or one of the user's own lenses. */
  resolveAs(kind: 'lens' | 'library', source: SourceFile, request: ResolveRequest = {}): Promise<Resolution> {
    const options = this.#resolveOptions(request);
    return kind === 'library' ? resolveLibrary(source, options) : resolveLens(source, options);
  }

  /** Resolves any library by its reference, which is relative to `from`. */
  resolveReference(
    reference: LibraryReference,
    from: SourceFile,
    request: ResolveRequest = {},
  ): Promise<Resolution> {
    return resolveLibrary(from, this.#resolveOptions(request), (libraries) =>
      libraries.load(reference, from),
    );
  }

  /** Libraries to look into without making a graph of them. */
  libraries(request: ResolveRequest = {}): Libraries {
    return new Libraries(new Session(this.#resolveOptions(request)));
  }

  source(file: string): SourceFile {
    return sourceFile(this.#workspace, join(this.#options.root, file));
  }

  #resolveOptions(request: ResolveRequest): ResolveOptions {
    const { root, library, founts } = this.#options;
    const unsaved = new Map([...(request.unsaved ?? [])].map(([file, text]) => [join(root, file), text]));
    return {
      workspace: this.#workspace,
      builtin: { root: library, label: 'sunwell/common' },
      cache: this.cache,
      lensesNamed: (name) => this.lensesNamed(name),
      workspaceLibraries: async () => (await this.#filesOf('library')).map((file) => this.source(file)),
      // Opening a lens must not reach for the network: what is not on this machine is a problem with a way out.
      fount: (reference) => founts.resolve(reference, { offline: true }),
      unsaved,
      environment: request.environment ?? process.env,
      parameters: request.parameters ?? {},
    };
  }

  /** By the name in the metadata or the file's own, in the workspace first, then among the user's lenses. */
  async lensesNamed(name: string): Promise<readonly SourceFile[]> {
    const wanted = lookupName(name);
    const named = async (lenses: readonly SourceFile[]): Promise<SourceFile[]> => {
      const found: SourceFile[] = [];
      for (const source of lenses) {
        if ((await this.#namesOf(source)).some((known) => lookupName(known) === wanted)) found.push(source);
      }
      return found;
    };
    const own = await named(await this.#ownLenses());
    return own.length > 0 ? own : named(await this.#userLenses());
  }

  /** Every name that a lens can be called by here. */
  async lensNames(): Promise<readonly string[]> {
    const lenses = [...(await this.#ownLenses()), ...(await this.#userLenses())];
    return (await Promise.all(lenses.map((source) => this.#namesOf(source)))).flat();
  }

  async #namesOf(source: SourceFile): Promise<string[]> {
    const read = await this.cache.text(source.path);
    const written = 'text' in read ? this.cache.lens(source, read.text).value.metadata.name : undefined;
    const fileName = basename(source.path).replace(/\.lens(\.yaml)?$/, '');
    return written === undefined ? [fileName] : [written, fileName];
  }

  async #ownLenses(): Promise<readonly SourceFile[]> {
    return (await this.#filesOf('lens')).map((file) => this.source(file));
  }

  async #userLenses(): Promise<readonly SourceFile[]> {
    const root = join(this.#options.home, 'lenses');
    const names = await readdir(root).catch(() => []); // Most users keep no lenses of their own there.
    return names
      .filter((name) => classify(name) === 'lens')
      .sort()
      .map((name) => sourceFile({ root, label: '~' }, join(root, name)));
  }

  async #filesOf(kind: 'lens' | 'library'): Promise<readonly string[]> {
    return (await this.#options.files()).filter((file) => classify(file) === kind);
  }
}
