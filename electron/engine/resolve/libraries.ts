import { basename, dirname, join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import { diagnostic } from '#shared/lens/diagnostics.ts';
import { lookupSkillName } from '#shared/lens/names.ts';
import type { LibraryReference } from '#shared/lens/reference.ts';
import type { Diagnostic } from '#shared/model/diagnostic.ts';
import type { Preset } from '#shared/model/library.ts';
import type { Skill } from '#shared/model/skill.ts';
import { hasDrifted } from '../fount/fount-errors.ts';
import type { FountReference } from '../fount/fount-reference.ts';
import { readAgentSkill } from './agent-skill.ts';
import { fountPlace } from './fount-files.ts';
import { neighbour, sourceFile } from './place.ts';
import type { Place, SourceFile } from './place.ts';
import type { Session } from './session.ts';

/** Where a skill comes from, for badges and for trust: what was fetched is not the user's own. */
export type SkillOrigin = 'own' | 'builtin' | 'fount' | 'agent-skill';

/** A skill in the library that defines it. */
export interface LibrarySkill {
  readonly skill: Skill;
  readonly source: SourceFile;
  readonly library: Library;
  readonly kind: SkillOrigin;
}

/** Skills and presets that belong together: bare names in them mean one another. */
export class Library {
  readonly label: string;
  readonly presets: { readonly preset: Preset; readonly source: SourceFile }[] = [];
  /** Founts and the built-in library are named as a whole, files by their path. */
  readonly #isWhole: boolean;
  readonly #byName = new Map<string, LibrarySkill[]>();

  constructor(label: string, isWhole: boolean) {
    this.label = label;
    this.#isWhole = isWhole;
  }

  get skills(): readonly LibrarySkill[] {
    return [...this.#byName.values()].flat();
  }

  /** Adds a skill; of two with one name in one file, which the reader has reported, the later counts. */
  add(skill: Omit<LibrarySkill, 'library'>): void {
    const key = lookupSkillName(skill.skill.name);
    const others = (this.#byName.get(key) ?? []).filter(({ source }) => source.path !== skill.source.path);
    this.#byName.set(key, [...others, { ...skill, library: this }]);
  }

  /** Skills that a bare name means here: of the asking file first, otherwise of the whole library. */
  lookup(name: string, from?: SourceFile): readonly LibrarySkill[] {
    const found = this.#byName.get(lookupSkillName(name)) ?? [];
    const sameFile = found.filter(({ source }) => source.path === from?.path);
    return sameFile.length > 0 ? sameFile : found;
  }

  /** Names that several files of the library define, each with its skills. */
  get shared(): readonly (readonly LibrarySkill[])[] {
    return [...this.#byName.values()].filter((skills) => skills.length > 1);
  }

  /** The qualified id: unique however many files of the library use the name. */
  idOf({ skill, source }: LibrarySkill): string {
    const isShared = (this.#byName.get(lookupSkillName(skill.name))?.length ?? 0) > 1;
    return `${this.#isWhole && !isShared ? this.label : source.file}:${skill.name}`;
  }
}

/** A library, or why there is none; `code` where that is known better than that it was not found. */
export type LibraryResult = Library | { readonly problem: string; readonly code?: 'lock.mismatch' };

/** Finds and reads the libraries that one resolution asks for, each once. */
export class Libraries {
  readonly #session: Session;
  readonly #found = new Map<string, Promise<LibraryResult>>();
  readonly #loaded = new Map<string, Promise<LibraryResult>>();

  constructor(session: Session) {
    this.#session = session;
  }

  async load(reference: LibraryReference, from: SourceFile): Promise<LibraryResult> {
    switch (reference.kind) {
      case 'builtin': {
        const { builtin } = this.#session.options;
        if (reference.name !== builtin.label)
          return { problem: `there is no built-in library "${reference.name}"` };
        return this.#once(builtin.root, () => this.#folder(builtin, builtin.root, 'builtin'));
      }
      case 'path':
        return this.#at(reference.path, from);
      case 'fount':
      case 'agentskills':
        return this.#fount(reference);
    }
  }

  /** A library file by itself, as when it is opened or included. */
  async file(source: SourceFile): Promise<LibraryResult> {
    return this.#once(source.path, async () => {
      const library = new Library(source.file, false);
      const problem = await this.#addFile(library, source, originOf(source.place));
      return problem === undefined ? library : { problem };
    });
  }

  /** A library read aside, whose problems are nobody's here. */
  peek(source: SourceFile, text: string): Library {
    const library = new Library(source.file, false);
    const { value } = this.#session.options.cache.library(source, text);
    for (const skill of value.skills) library.add({ skill, source, kind: originOf(source.place) });
    return library;
  }

  /** A thousand skills that name one library must not work out a thousand times where it is. */
  #at(path: string, from: SourceFile): Promise<LibraryResult> {
    const key = `${from.path}\0${path}`;
    let found = this.#found.get(key);
    if (!found) {
      found = this.#path(neighbour(from, path));
      this.#found.set(key, found);
    }
    return found;
  }

  async #path(source: SourceFile): Promise<LibraryResult> {
    for (const path of [source.path, `${source.path}.skills.yaml`, `${source.path}.yaml`]) {
      const found = await this.#session.kindAt(path);
      if (found === 'file' && basename(path) === 'SKILL.md')
        return this.#path(sourceFile(source.place, dirname(path)));
      if (found === 'file') return this.file(sourceFile(source.place, path));
      if (found === 'folder') return this.#once(path, () => this.#folder(source.place, path, 'own'));
    }
    return { problem: `there is nothing at "${source.file}"` };
  }

  async #fount(reference: FountReference): Promise<LibraryResult> {
    try {
      const found = await this.#session.options.fount(reference);
      const place = fountPlace(found);
      return await this.#once(found.folder, () => this.#folder(place, found.folder, 'fount'));
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      return { problem: error.message, ...(hasDrifted(error) && { code: 'lock.mismatch' }) };
    }
  }

  #once(key: string, load: () => Promise<LibraryResult>): Promise<LibraryResult> {
    let loading = this.#loaded.get(key);
    if (!loading) {
      loading = load();
      this.#loaded.set(key, loading);
    }
    return loading;
  }

  /** Library files and SKILL.md folders of a folder (which may be one itself), and of its `skills` folder where it is a package. */
  async #folder(place: Place, path: string, kind: SkillOrigin): Promise<LibraryResult> {
    const isPackage = kind !== 'own';
    const library = new Library(isPackage ? place.label : sourceFile(place, path).file, isPackage);
    const folders = isPackage ? [path, join(path, 'skills')] : [path];
    // A folder that a fount names by its path is still the fount's.
    const origin = isPackage ? kind : originOf(place);
    for (const folder of folders) {
      // A package without a `skills` folder has its files at the top.
      for (const name of (await this.#session.namesIn(folder)).filter((other) => !other.startsWith('.'))) {
        const source = sourceFile(place, join(folder, name));
        const isSkillsFolder = basename(folder) === 'skills';
        if (name.endsWith('.skills.yaml') || (isSkillsFolder && /\.ya?ml$/.test(name))) {
          await this.#addFile(library, source, origin);
        } else if (name === 'SKILL.md') {
          await this.#addAgentSkill(library, source, origin);
        } else {
          await this.#addAgentSkill(library, sourceFile(place, join(folder, name, 'SKILL.md')), origin);
        }
      }
    }
    this.#reportShared(library);
    return library;
  }

  #reportShared(library: Library): void {
    for (const [first, ...others] of library.shared) {
      for (const other of others) {
        const { code, location, message, related } = duplicateSkill(first!, other);
        this.#session.report(code, location, message, { related });
      }
    }
  }

  async #addFile(library: Library, source: SourceFile, kind: SkillOrigin): Promise<string | undefined> {
    const read = await this.#session.library(source);
    if ('problem' in read) return `"${source.file}": ${read.problem}`;
    for (const skill of read.value.skills) library.add({ skill, source, kind });
    for (const preset of read.value.presets) library.presets.push({ preset, source });
    return undefined;
  }

  async #addAgentSkill(library: Library, source: SourceFile, kind: SkillOrigin): Promise<void> {
    const read = this.#session.text(source.path);
    if ('problem' in read) return; // Not a skill folder: nothing to add.
    const folderName = basename(dirname(source.path));
    const skill = await readAgentSkill(this.#session, source, { text: read.text, folderName });
    library.add({ skill, source, kind: kind === 'own' ? 'agent-skill' : kind });
  }
}

/** What is said of a skill whose name another file defines too: both stay reachable by their file. */
export function duplicateSkill(
  first: Pick<LibrarySkill, 'skill' | 'source'>,
  { skill, source }: Pick<LibrarySkill, 'skill' | 'source'>,
): Diagnostic & { code: 'graph.duplicate-skill' } {
  const message =
    `Skill "${skill.name}" is also defined in "${first.source.file}": ` +
    `write "./${basename(source.path)}:${skill.name}" to mean this one`;
  const related = [{ message: 'Also defined here', location: first.skill.at }];
  const code = 'graph.duplicate-skill';
  return { ...diagnostic(code, skill.at, message, { related }), code };
}

/** Whose a file of this place is. */
export function originOf(place: Place): SkillOrigin {
  if (place.label.startsWith('fount://')) return 'fount';
  return place.label === 'sunwell/common' ? 'builtin' : 'own';
}
