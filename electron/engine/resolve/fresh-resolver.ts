import { readdir } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import { lookupName } from '#shared/lens/names.ts';
import type { LibraryReference } from '#shared/lens/reference.ts';
import { parseFount, requestOf, type FountReference } from '../fount/fount-reference.ts';
import type { Fount } from '../fount/fount-store.ts';
import { classify } from '../workspace/discovery.ts';
import type { Footprint } from './footprint.ts';
import { Libraries } from './libraries.ts';
import { sourceFile } from './place.ts';
import type { SourceFile } from './place.ts';
import { ReadCache } from './read-cache.ts';
import { resolveLens, resolveLibrary } from './resolve.ts';
import type { Resolution } from './resolve.ts';
import { Session } from './session.ts';
import type { FountPackage, ResolveOptions } from './session.ts';
import type { ResolveRequest, WorkspaceResolverOptions } from './resolver-options.ts';

/** Resolves from the files themselves; keeps what was read until the bytes change. */
export class FreshResolver {
  readonly #options: WorkspaceResolverOptions;
  readonly cache: ReadCache;

  constructor(options: WorkspaceResolverOptions) {
    this.#options = options;
    this.cache = options.reads ?? new ReadCache();
  }

  /** Writes everything it looks at down in the footprint, where there is one. */
  resolveAs(
    kind: 'lens' | 'library',
    source: SourceFile,
    { request, footprint }: { request: ResolveRequest; footprint?: Footprint | undefined },
  ): Promise<Resolution> {
    const options = this.#resolveOptions(request, footprint);
    return kind === 'library' ? resolveLibrary(source, options) : resolveLens(source, options);
  }

  resolveReference(
    reference: LibraryReference,
    from: SourceFile,
    request: ResolveRequest,
  ): Promise<Resolution> {
    return resolveLibrary(from, this.#resolveOptions(request), (libraries) =>
      libraries.load(reference, from),
    );
  }

  libraries(request: ResolveRequest): Libraries {
    return new Libraries(new Session(this.#resolveOptions(request)));
  }

  async lensesNamed(name: string, footprint?: Footprint): Promise<readonly SourceFile[]> {
    const wanted = lookupName(name);
    const named = async (lenses: readonly SourceFile[]): Promise<SourceFile[]> => {
      const found: SourceFile[] = [];
      for (const source of lenses) {
        const names = await this.#namesOf(source, footprint);
        if (names.some((known) => lookupName(known) === wanted)) found.push(source);
      }
      return found;
    };
    const own = await named(await this.#filesOf('lens', footprint));
    return own.length > 0 ? own : named(await this.#userLenses(footprint));
  }

  async lensNames(): Promise<readonly string[]> {
    const lenses = [...(await this.#filesOf('lens')), ...(await this.#userLenses())];
    return (await Promise.all(lenses.map((source) => this.#namesOf(source)))).flat();
  }

  #resolveOptions(request: ResolveRequest, footprint?: Footprint): ResolveOptions {
    const { root, library } = this.#options;
    const environment = request.environment ?? process.env;
    const parameters = request.parameters ?? {};
    const unsaved = new Map([...(request.unsaved ?? [])].map(([file, text]) => [join(root, file), text]));
    return {
      workspace: { root, label: '' },
      builtin: { root: library, label: 'sunwell/common' },
      cache: this.cache,
      lensesNamed: (name) => this.lensesNamed(name, footprint),
      workspaceLibraries: () => this.#filesOf('library', footprint),
      fount: (reference) => this.#fount(reference, footprint),
      unsaved,
      environment: footprint ? noted(environment, 'environment', footprint) : environment,
      parameters: footprint ? noted(parameters, 'parameter', footprint) : parameters,
      ...(footprint && { footprint }),
    };
  }

  /** What a fount is on this machine now, in one text: a changed package is another text. */
  async fountAnswer(request: string): Promise<string> {
    return answerText(await this.#findFount(parseFount(request)));
  }

  async #fount(reference: FountReference, footprint: Footprint | undefined): Promise<FountPackage> {
    const found = await this.#findFount(reference);
    footprint?.answer(['fount', requestOf(reference)], answerText(found));
    if (found instanceof StudioError) throw found;
    return found;
  }

  async #findFount(reference: FountReference): Promise<Fount | StudioError> {
    const founts = await this.#options.founts();
    try {
      // Opening a lens must not reach for the network: what is not on this machine is a problem with a way out.
      return await founts.resolve(reference, { offline: true });
    } catch (error) {
      if (error instanceof StudioError) return error;
      throw error;
    }
  }

  async #namesOf(source: SourceFile, footprint?: Footprint): Promise<string[]> {
    footprint?.look(source.path);
    const read = this.cache.text(source.path);
    const written = 'text' in read ? this.cache.lens(source, read.text).value.metadata.name : undefined;
    const fileName = basename(source.path).replace(/\.lens(\.yaml)?$/, '');
    return written === undefined ? [fileName] : [written, fileName];
  }

  async #userLenses(footprint?: Footprint): Promise<readonly SourceFile[]> {
    const root = join(this.#options.home, 'lenses');
    footprint?.look(root);
    const names = await readdir(root).catch(() => []); // Most users keep no lenses of their own there.
    return names
      .filter((name) => classify(name) === 'lens')
      .sort()
      .map((name) => sourceFile({ root, label: '~' }, join(root, name)));
  }

  async #filesOf(kind: 'lens' | 'library', footprint?: Footprint): Promise<readonly SourceFile[]> {
    const { root, files } = this.#options;
    const found = await files();
    footprint?.answer(['files'], found.join('\0'));
    return found
      .filter((file) => classify(file) === kind)
      .map((file) => sourceFile({ root, label: '' }, join(root, file)));
  }
}

function answerText(found: Fount | StudioError): string {
  if (found instanceof StudioError) return `${found.code}: ${found.message}`;
  return JSON.stringify([found.name, found.version, found.folder, found.tree]);
}

/** Writes down which of the values are asked for. */
function noted<T extends string | undefined>(
  values: Readonly<Record<string, T>>,
  what: 'environment' | 'parameter',
  footprint: Footprint,
): Readonly<Record<string, T>> {
  return new Proxy(values, {
    get: (target, name) => {
      const value = Reflect.get(target, name) as T;
      if (typeof name === 'string') footprint.answer([what, name], value);
      return value;
    },
  });
}
