import { quote } from '#shared/lens/problems.ts';
import type { SkillReference } from '#shared/lens/reference.ts';
import type { Location } from '#shared/model/diagnostic.ts';
import type { Skill } from '#shared/model/skill.ts';
import type { Candidate, Definition, Scope, SkillFile } from './candidate.ts';
import { readAgentSkill } from './agent-skill.ts';
import { libraryCandidate } from './scopes.ts';
import type { Libraries } from './libraries.ts';
import type { SourceFile } from './place.ts';
import type { Session } from './session.ts';
import { basename } from 'node:path';

const longestChain = 16;

/** Follows the references of one entry to the definition it stands for. */
export class Definitions {
  readonly #session: Session;
  readonly #libraries: Libraries;

  constructor(session: Session, libraries: Libraries) {
    this.#session = session;
    this.#libraries = libraries;
  }

  async of(candidate: Candidate, depth = 0): Promise<Definition> {
    const { skill, source, scope, kind } = candidate;
    const own: Definition = {
      skill,
      kind,
      scriptsFrom: source,
      resourcesFrom: source,
      ...(basename(source.path) === 'SKILL.md' ? { skillFile: { file: source, isWhole: true } } : {}),
      dependencies: (skill.dependsOn ?? []).map((dependency) => ({ dependency, scope, source })),
    };
    if (skill.type === 'local') return this.#local(candidate, own);
    if (skill.type !== 'reference' || !skill.source) return own;
    if (depth >= longestChain) {
      this.#session.report(
        'graph.cycle',
        skill.source.at,
        `The sources of skill ${quote(skill.name)} lead in a circle`,
      );
      return own;
    }
    const target = await this.target(candidate);
    return target ? overlay(await this.of(target, depth + 1), own) : own;
  }

  /** The definition that a reference entry names, or undefined with a report. */
  async target(candidate: Candidate): Promise<Candidate | undefined> {
    const { skill, source, scope } = candidate;
    const from = skill.source;
    if (!from) return undefined;
    const reference = from.reference ?? (from.library && { name: skill.name, library: from.library });
    if (!reference) return undefined; // Malformed: the reader has said so.
    const found = (await this.lookup(reference, scope, source, from.at))?.filter(
      (other) => other.id !== candidate.id,
    );
    if (found?.length === 1) return found[0];
    if (found?.length === 0) {
      this.#session.report('graph.missing-dependency', from.at, `Cannot find skill ${quote(from.text)}`);
    } else if (found) {
      this.reportAmbiguous(from.text, found, from.at);
    }
    return undefined;
  }

  /** Skills that a reference can mean; undefined where its library cannot be read, which is reported. */
  async lookup(
    reference: SkillReference,
    scope: Scope,
    source: SourceFile,
    at: Location,
  ): Promise<readonly Candidate[] | undefined> {
    if (!reference.library) return scope.lookup(reference.name);
    const library = await this.#libraries.load(reference.library, source);
    if ('problem' in library) {
      this.#session.report(
        library.code ?? 'library.not-found',
        at,
        `Cannot use the library of ${quote(reference.name)}: ${library.problem}`,
      );
      return undefined;
    }
    return library.lookup(reference.name).map(libraryCandidate);
  }

  reportAmbiguous(text: string, found: readonly Candidate[], at: Location): void {
    const ids = found.map(({ id }) => quote(id)).join(' and ');
    this.#session.report(
      'graph.ambiguous-name',
      at,
      `${quote(text)} could mean ${ids}: write the library in front`,
      {
        related: found.map(({ id, skill }) => ({ message: `Could mean ${quote(id)}`, location: skill.at })),
      },
    );
  }

  async #local(candidate: Candidate, own: Definition): Promise<Definition> {
    const { skill, source } = candidate;
    if (skill.folder === undefined) return own; // The reader has said that "path" is missing.
    const file = this.#session.fileInside(source, `${skill.folder}/SKILL.md`);
    if (!file) {
      this.#session.report(
        'skill.unsafe-path',
        skill.at,
        `The path ${quote(skill.folder)} leaves the folder of its file`,
      );
      return own;
    }
    const read = this.#session.text(file.path);
    if ('problem' in read) {
      this.#session.report('skill.missing-file', skill.at, `Cannot read "${file.file}": ${read.problem}`);
      return own;
    }
    const folderName = basename(skill.folder);
    const agentSkill = await readAgentSkill(this.#session, file, { text: read.text, folderName });
    const { scope } = candidate;
    const base = {
      ...own,
      skill: agentSkill,
      kind: 'agent-skill' as const,
      scriptsFrom: file,
      resourcesFrom: file,
      skillFile: { file, isWhole: true },
      dependencies: (agentSkill.dependsOn ?? []).map((dependency) => ({ dependency, scope, source: file })),
    };
    return overlay(base, own);
  }
}

/** Lays the fields that an entry gives over the definition it names; what it leaves out stays. */
function overlay(base: Definition, entry: Definition): Definition {
  const { source: _source, folder: _folder, type: _type, ...given } = entry.skill;
  const skill: Skill = { ...base.skill, ...given, type: entry.skill.type };
  return {
    skill,
    // A fount's entry over somebody else's skill can bring its own scripts: the whole counts as fetched.
    kind: entry.kind === 'fount' ? 'fount' : base.kind,
    scriptsFrom: given.scripts ? entry.scriptsFrom : base.scriptsFrom,
    resourcesFrom: given.resources ? entry.resourcesFrom : base.resourcesFrom,
    ...(base.skillFile ? { skillFile: { ...base.skillFile, isWhole: isWhole(base.skillFile, given) } } : {}),
    dependencies: given.dependsOn ? entry.dependencies : base.dependencies,
  };
}

/** A name and a condition belong to the lens: they change nothing of what the file itself says. */
function isWhole(file: SkillFile, given: object): boolean {
  const own = ['name', 'at', 'path', 'enabled', 'override'];
  return file.isWhole && Object.keys(given).every((key) => own.includes(key));
}
