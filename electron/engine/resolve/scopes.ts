import { quote } from '#shared/lens/problems.ts';
import { lookupSkillName } from '#shared/lens/names.ts';
import type { Enabled, Skill } from '#shared/model/skill.ts';
import type { Candidate, Scope } from './candidate.ts';
import { originOf } from './libraries.ts';
import type { Libraries, Library, LibrarySkill } from './libraries.ts';
import type { Merged, MergedLens } from './merge.ts';
import type { SourceFile } from './place.ts';
import type { Session } from './session.ts';

/** A library's skill with the scope its own dependencies are looked up in: its library, its file first. */
export function libraryCandidate(found: LibrarySkill): Candidate {
  const { skill, source, library, kind } = found;
  return { id: library.idOf(found), skill, source, kind, scope: new LibraryScope(library, source) };
}

class LibraryScope implements Scope {
  readonly #library: Library;
  readonly #source: SourceFile;

  constructor(library: Library, source: SourceFile) {
    this.#library = library;
    this.#source = source;
  }

  get label(): string {
    return this.#library.label;
  }

  lookup(name: string): Promise<readonly Candidate[]> {
    return Promise.resolve(this.#library.lookup(name, this.#source).map(libraryCandidate));
  }

  names(): readonly string[] {
    return this.#library.skills.map(({ skill }) => skill.name);
  }
}

/** What bare names mean in a lens: its own skills first, what it includes, then the libraries it searches. */
export class LensScope implements Scope {
  readonly label: string;
  /** The lens's own and included skills, in order; the roots of its graph. */
  readonly roots: Candidate[] = [];
  readonly #session: Session;
  readonly #byName = new Map<string, Candidate[]>();
  readonly #disabled = new Map<string, string>();
  readonly #sources: Library[] = [];

  private constructor(session: Session, label: string) {
    this.#session = session;
    this.label = label;
  }

  static async of(session: Session, libraries: Libraries, lens: MergedLens): Promise<LensScope> {
    const scope = new LensScope(session, lens.source.file);
    for (const merged of lens.skills) scope.#addOwn(merged);
    await scope.#addIncludes(libraries, lens);
    for (const { value, source } of lens.skillSources) {
      if (!value.library) continue; // Malformed: the reader has said so.
      const library = await libraries.load(value.library, source);
      if ('problem' in library) {
        session.report(
          library.code ?? 'library.not-found',
          value.at,
          `Cannot search ${quote(value.text)}: ${library.problem}`,
        );
      } else {
        scope.#sources.push(library);
      }
    }
    return scope;
  }

  /** A library opened by itself: every skill is a root, and the scope is the library. */
  static ofLibrary(session: Session, library: Library): LensScope {
    const scope = new LensScope(session, library.label);
    for (const found of library.skills) scope.#add(libraryCandidate(found));
    return scope;
  }

  get libraries(): readonly Library[] {
    return this.#sources;
  }

  async lookup(name: string): Promise<readonly Candidate[]> {
    const own = this.#byName.get(lookupSkillName(name));
    if (own) return own;
    const found = this.#sources.flatMap((library) => library.lookup(name).map(libraryCandidate));
    return [...new Map(found.map((candidate) => [candidate.id, candidate])).values()];
  }

  names(): readonly string[] {
    return [
      ...this.roots.map(({ skill }) => skill.name),
      ...this.#sources.flatMap((library) => libraryNames(library)),
    ];
  }

  /** The condition that keeps a skill of this name out, where there is one. */
  disabledBy(name: string): string | undefined {
    return this.#disabled.get(lookupSkillName(name));
  }

  #addOwn({ value: skill, source, overrides }: Merged<Skill>): void {
    const candidate: Candidate = {
      id: `${source.file}:${skill.name}`,
      skill,
      source,
      kind: originOf(source.place),
      scope: this,
      ...(overrides ? { overrides } : {}),
    };
    this.#add(candidate);
  }

  async #addIncludes(libraries: Libraries, lens: MergedLens): Promise<void> {
    const own = new Set(this.#byName.keys());
    for (const { value, source } of lens.includes) {
      const library = await libraries.load({ kind: 'path', path: value.file }, source);
      if ('problem' in library) {
        this.#session.report(
          'include.not-found',
          value.at,
          `Cannot include ${quote(value.file)}: ${library.problem}`,
        );
        continue;
      }
      for (const name of value.names ?? []) {
        if (library.lookup(name).length > 0) continue;
        this.#session.report(
          'include.not-found',
          value.at,
          `Cannot include ${quote(name)}: ${quote(value.file)} has no such skill`,
        );
      }
      const wanted = value.names && new Set(value.names.map(lookupSkillName));
      for (const found of library.skills) {
        const key = lookupSkillName(found.skill.name);
        // An own skill of the name replaces the included one, as it would an inherited one.
        if (!own.has(key) && (!wanted || wanted.has(key))) this.#add(libraryCandidate(found));
      }
    }
  }

  #add(candidate: Candidate): void {
    const key = lookupSkillName(candidate.skill.name);
    const condition = unmetCondition(this.#session, candidate.skill.enabled);
    if (condition !== undefined) {
      this.#disabled.set(key, condition);
      return;
    }
    const known = this.#byName.get(key) ?? [];
    if (known.some(({ id }) => id === candidate.id)) return;
    this.#byName.set(key, [...known, candidate]);
    this.roots.push(candidate);
  }
}

function libraryNames(library: Library): string[] {
  return library.skills.map(({ skill }) => skill.name);
}

/** The sentence for a condition that does not hold, or undefined where the skill takes part. */
export function unmetCondition({ options }: Session, enabled: Enabled | undefined): string | undefined {
  if (!enabled) return undefined;
  const [what, name, value] =
    'env' in enabled
      ? ['environment variable', enabled.env, options.environment[enabled.env]]
      : ['parameter', enabled.param, options.parameters[enabled.param]];
  if (enabled.equals === undefined ? value !== undefined : value === enabled.equals) return undefined;
  return enabled.equals === undefined
    ? `${what} "${name}" is not set`
    : `${what} "${name}" is not "${enabled.equals}"`;
}
