import { join } from 'node:path';
import { unreachable } from '#shared/errors.ts';
import type { LibraryReference } from '#shared/lens/reference.ts';
import { installKey } from '../store/install-key.ts';
import { classify } from '../workspace/discovery.ts';
import { changedTexts, Footprint, withStamps } from './footprint.ts';
import type { FootprintRecord, Question } from './footprint.ts';
import type { FreshResolver } from './fresh-resolver.ts';
import type { Libraries } from './libraries.ts';
import { sourceFile } from './place.ts';
import type { SourceFile } from './place.ts';
import { ResolutionStore } from './resolution-store.ts';
import type { Resolution } from './resolve.ts';
import type { ResolveRequest, WorkspaceResolverOptions } from './resolver-options.ts';
import { withTexts } from './with-texts.ts';

/** Names the program by its code; missing where it runs unbuilt. */
declare const __BUILD__: string | undefined;

/** What those resolutions rest on that can be told to hold later. */
const footprints = new WeakMap<Resolution, FootprintRecord>();

/** What a resolution looked at; undefined where a later change of that could not be noticed. */
export function footprintOf(resolution: Resolution): FootprintRecord | undefined {
  return footprints.get(resolution);
}

const maxRemembered = 16;
/** With more changed texts the lens is resolved anew, and then kept: on disk stays what was kept before. */
const maxChanged = 16;

/**
 * Resolves lenses and libraries of one workspace. A resolution is made once for as long as nothing it looked at changes,
 * also across processes: what reads and merges files is not even loaded then. Texts that it only holds, such as scripts,
 * may change meanwhile: they alone are read again.
 */
export class WorkspaceResolver {
  readonly #options: WorkspaceResolverOptions;
  readonly #key: Buffer;
  readonly #store: ResolutionStore | undefined;
  readonly #remembered = new Map<string, { footprint: FootprintRecord; resolution: Resolution }>();
  /** The last one under way, by name. */
  readonly #making = new Map<string, Promise<Resolution>>();
  #fresh: Promise<FreshResolver> | undefined;

  constructor(options: WorkspaceResolverOptions) {
    const { home, build = typeof __BUILD__ === 'string' ? __BUILD__ : undefined } = options;
    this.#options = options;
    this.#key = installKey(home);
    this.#store = build === undefined ? undefined : new ResolutionStore({ home, key: this.#key, build });
  }

  resolve(file: string, request: ResolveRequest = {}): Promise<Resolution> {
    return this.resolveAs(classify(file) === 'library' ? 'library' : 'lens', this.source(file), request);
  }

  /** Resolves a file whose name does not say what it is, or one of the user's own lenses. */
  async resolveAs(
    kind: 'lens' | 'library',
    source: SourceFile,
    request: ResolveRequest = {},
  ): Promise<Resolution> {
    if (request.unsaved?.size) return (await this.#files()).resolveAs(kind, source, { request });
    const { root, library } = this.#options;
    const name = JSON.stringify([kind, root, library, source]);
    // Who asks for the same meanwhile waits: what is remembered then only has to be checked, not made again.
    const before = this.#making.get(name)?.catch(() => undefined);
    const making = (before ?? Promise.resolve()).then(() => this.#resolve(name, { kind, source, request }));
    this.#making.set(name, making);
    try {
      return await making;
    } finally {
      if (this.#making.get(name) === making) this.#making.delete(name);
    }
  }

  async #resolve(
    name: string,
    { kind, source, request }: { kind: 'lens' | 'library'; source: SourceFile; request: ResolveRequest },
  ): Promise<Resolution> {
    const known = this.#remembered.get(name) ?? this.#store?.read(name);
    const changed =
      known && (await changedTexts(known.footprint, this.#key, (question) => this.#ask(question, request)));
    if (changed && changed.length <= maxChanged) {
      const kept = typeof known.resolution === 'function' ? known.resolution() : known.resolution;
      if (changed.length === 0) {
        this.#remember(name, known.footprint, kept);
        return kept;
      }
      const resolution = withTexts(kept, changed);
      if (changed.every(({ isCertain }) => isCertain))
        this.#remember(name, withStamps(known.footprint, changed), resolution);
      return resolution;
    }
    const footprint = new Footprint(this.#key);
    const resolution = await (await this.#files()).resolveAs(kind, source, { request, footprint });
    if (footprint.isCertain) {
      this.#remember(name, footprint.record, resolution);
      const { later = (work) => work() } = this.#options;
      if (this.#store) later(() => this.#store?.write(name, footprint.record, resolution));
    }
    return resolution;
  }

  /** Resolves any library by its reference, which is relative to `from`. */
  async resolveReference(
    reference: LibraryReference,
    from: SourceFile,
    request: ResolveRequest = {},
  ): Promise<Resolution> {
    return (await this.#files()).resolveReference(reference, from, request);
  }

  /** Libraries to look into without making a graph of them. */
  async libraries(request: ResolveRequest = {}): Promise<Libraries> {
    return (await this.#files()).libraries(request);
  }

  /** By the name in the metadata or the file's own, in the workspace first, then among the user's lenses. */
  async lensesNamed(name: string): Promise<readonly SourceFile[]> {
    return (await this.#files()).lensesNamed(name);
  }

  /** Every name that a lens can be called by here. */
  async lensNames(): Promise<readonly string[]> {
    return (await this.#files()).lensNames();
  }

  source(file: string): SourceFile {
    return sourceFile({ root: this.#options.root, label: '' }, join(this.#options.root, file));
  }

  #remember(name: string, footprint: FootprintRecord, resolution: Resolution): void {
    this.#remembered.delete(name);
    this.#remembered.set(name, { footprint, resolution });
    footprints.set(resolution, footprint);
    const [oldest] = this.#remembered.keys();
    if (this.#remembered.size > maxRemembered) this.#remembered.delete(oldest!);
  }

  async #ask(question: Question, request: ResolveRequest): Promise<string | undefined> {
    switch (question[0]) {
      case 'environment':
        return (request.environment ?? process.env)[question[1]];
      case 'parameter':
        return request.parameters?.[question[1]];
      case 'files':
        return (await this.#options.files()).join('\0');
      case 'fount':
        return (await this.#files()).fountAnswer(question[1]);
      default:
        return unreachable(question);
    }
  }

  /** Loaded only when something must be read: it brings all the parsers. */
  #files(): Promise<FreshResolver> {
    this.#fresh ??= import('./fresh-resolver.ts').then(
      ({ FreshResolver: Fresh }) => new Fresh(this.#options),
    );
    return this.#fresh;
  }
}
