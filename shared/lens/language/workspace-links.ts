import { lookupName } from '../names.ts';
import type { LensReference, LibraryReference } from '../reference.ts';
import type { FileFacts } from './file-facts.ts';
import { fixturePlaces } from './fixture-places.ts';
import { folderOf, lensFileName, resolvePath } from './file-paths.ts';

/** Which files of the workspace use which others, by the engine's rules as far as files of the workspace go. */
export class WorkspaceLinks {
  readonly #files: ReadonlyMap<string, FileFacts>;
  readonly #reached = new Map<string, readonly FileFacts[]>();

  constructor(files: ReadonlyMap<string, FileFacts>) {
    this.#files = files;
  }

  /** The files of a library; undefined where it is none of the workspace's own. */
  library(reference: LibraryReference, from: string): readonly FileFacts[] | undefined {
    const path = reference.kind === 'path' ? resolvePath(from, reference.path) : undefined;
    if (path === undefined) return undefined;
    for (const candidate of [path, `${path}.skills.yaml`, `${path}.yaml`]) {
      const file = this.#files.get(candidate);
      if (file) return [file];
      const inFolder = this.librariesIn(candidate);
      if (inFolder.length > 0) return inFolder;
    }
    return undefined;
  }

  librariesIn(folder: string): readonly FileFacts[] {
    return [...this.#files.values()].filter(
      ({ file, kind }) => kind === 'library' && folderOf(file) === folder,
    );
  }

  /** The lens that a link means; undefined where it is none of the workspace's own, or several could be meant. */
  lens(reference: LensReference, from: string): FileFacts | undefined {
    if (reference.kind === 'path') {
      const path = resolvePath(from, reference.path);
      return path === undefined ? undefined : this.#files.get(path);
    }
    if (reference.kind !== 'name') return undefined;
    const found = this.lensesNamed(reference.name);
    return found.length === 1 ? found[0] : undefined;
  }

  lensesNamed(name: string): readonly FileFacts[] {
    const wanted = lookupName(name);
    return [...this.#files.values()].filter(
      ({ file, lens }) =>
        lens && [lens.metadata.name ?? '', lensFileName(file)].some((known) => lookupName(known) === wanted),
    );
  }

  /** The lenses and libraries whose fixtures a file holds. */
  testedBy(fixtures: FileFacts): readonly FileFacts[] {
    return [...this.#files.values()].filter(
      ({ file, kind }) =>
        kind !== 'fixtures' && fixturePlaces(file).find((place) => this.#files.has(place)) === fixtures.file,
    );
  }

  /** The lens itself with everything it extends and composes. */
  family(lens: FileFacts): readonly FileFacts[] {
    return this.#closure(lens, (file) =>
      file.links.flatMap((link) => ('lens' in link ? (this.lens(link.lens, file.file) ?? []) : [])),
    );
  }

  /** The file itself with everything it takes something from. */
  reach(file: FileFacts): readonly FileFacts[] {
    let reached = this.#reached.get(file.file);
    if (!reached) {
      reached = this.#closure(file, (one) =>
        one.links.flatMap((link) =>
          'lens' in link
            ? (this.lens(link.lens, one.file) ?? [])
            : (this.library(link.library, one.file) ?? []),
        ),
      );
      this.#reached.set(file.file, reached);
    }
    return reached;
  }

  #closure(start: FileFacts, next: (file: FileFacts) => readonly FileFacts[]): readonly FileFacts[] {
    const found = new Set([start]);
    for (const file of found) for (const other of next(file)) found.add(other);
    return [...found];
  }
}
