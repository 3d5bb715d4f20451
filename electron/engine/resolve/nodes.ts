import { quote } from '#shared/lens/problems.ts';
import type { Location } from '#shared/model/diagnostic.ts';
import type { Dependency, Script, Skill } from '#shared/model/skill.ts';
import { Pace } from '../store/pace.ts';
import type { Candidate, Definition, Scope, SkillFile } from './candidate.ts';
import type { Definitions } from './definition.ts';
import type { SkillOrigin } from './libraries.ts';
import type { Presets } from './permissions.ts';
import type { SourceFile } from './place.ts';
import { LensScope, unmetCondition } from './scopes.ts';
import type { Session } from './session.ts';
import type { Suggestions } from './suggestions.ts';

/** A script with its text, wherever it was written. */
export interface ResolvedScript {
  readonly name: string;
  readonly language: Script['language'];
  readonly args: readonly string[];
  readonly content: string;
  /** The script file, where the text is not written in the lens or library itself. */
  readonly file?: string;
}

/** A resource file with its text; a URL is only shown. */
export interface ResolvedResource {
  readonly name: string;
  readonly url?: string;
  readonly file?: string;
  readonly content?: string;
}

/** One node of a resolved graph: a definition with every reference followed and every file read. */
export interface ResolvedSkill {
  readonly id: string;
  readonly name: string;
  readonly kind: SkillOrigin;
  readonly skill: Skill;
  readonly source: SourceFile;
  readonly origin: Location;
  readonly overrides?: Location;
  readonly scripts: readonly ResolvedScript[];
  readonly resources: readonly ResolvedResource[];
  readonly permissions: unknown;
  /** The SKILL.md behind it, where there is one. */
  readonly skillFile?: SkillFile;
  readonly dependsOn: readonly {
    readonly id: string;
    readonly dependency: Dependency;
    readonly isLocal: boolean;
  }[];
}

export interface NodesOptions {
  readonly session: Session;
  readonly definitions: Definitions;
  readonly presets: Presets;
  readonly suggestions: Suggestions;
}

/** Collects the skills of a graph: the roots in their order, then what they depend on, breadth first. */
export class Nodes {
  readonly #options: NodesOptions;
  readonly #nodes = new Map<string, ResolvedSkill>();
  readonly #queue: Candidate[] = [];
  readonly #queued = new Set<string>();

  constructor(options: NodesOptions) {
    this.#options = options;
  }

  async collect(roots: readonly Candidate[]): Promise<readonly ResolvedSkill[]> {
    for (const root of roots) this.#enqueue(await this.#canonical(root));
    // Everybody else who waits for the engine has a turn now and then: a window, a run.
    const pace = new Pace();
    for (let next = this.#queue.shift(); next; next = this.#queue.shift()) {
      this.#nodes.set(next.id, await this.#node(next));
      if (pace.isDue) await pace.rest();
    }
    return [...this.#nodes.values()];
  }

  #enqueue(candidate: Candidate): string {
    if (!this.#queued.has(candidate.id)) {
      this.#queued.add(candidate.id);
      this.#queue.push(candidate);
    }
    return candidate.id;
  }

  /** An entry that only names a library's skill, and changes nothing, is that skill: one node, whoever reaches it. */
  async #canonical(candidate: Candidate): Promise<Candidate> {
    let current = candidate;
    for (let step = 0; step < 16 && isBareReference(current.skill); step++) {
      const target = await this.#options.definitions.target(current);
      if (!target || target.skill.name !== current.skill.name) return current;
      current = target;
    }
    return current;
  }

  async #node(candidate: Candidate): Promise<ResolvedSkill> {
    const definition = await this.#options.definitions.of(candidate);
    const { skill } = definition;
    return {
      id: candidate.id,
      name: skill.name,
      kind: definition.kind,
      skill,
      source: candidate.source,
      origin: candidate.skill.at,
      ...(candidate.overrides ? { overrides: candidate.overrides } : {}),
      scripts: this.#scripts(definition),
      resources: this.#resources(definition),
      permissions: await this.#options.presets.permissionsOf(skill, definition.scriptsFrom),
      ...(definition.skillFile ? { skillFile: definition.skillFile } : {}),
      dependsOn: await this.#dependencies(definition),
    };
  }

  async #dependencies({ skill, dependencies }: Definition): Promise<ResolvedSkill['dependsOn']> {
    const { session, definitions, suggestions } = this.#options;
    const resolved: { id: string; dependency: Dependency; isLocal: boolean }[] = [];
    for (const { dependency, scope, source } of dependencies) {
      if (!dependency.reference) continue; // Malformed: the reader has said so.
      const found = await definitions.lookup(dependency.reference, scope, source, dependency.at);
      if (!found) continue;
      const [only, ...others] = found;
      if (!only) {
        await suggestions.reportMissing({
          skill,
          dependency,
          scope,
          source,
          disabledBy: disabledBy(scope, dependency),
        });
      } else if (others.length > 0) {
        definitions.reportAmbiguous(dependency.text, found, dependency.at);
      } else {
        const condition = unmetCondition(session, only.skill.enabled);
        if (condition === undefined) {
          const id = this.#enqueue(await this.#canonical(only));
          resolved.push({ id, dependency, isLocal: !dependency.reference.library });
        } else {
          await suggestions.reportMissing({ skill, dependency, scope, source, disabledBy: condition });
        }
      }
    }
    return resolved;
  }

  #scripts({ skill, scriptsFrom }: Definition): ResolvedScript[] {
    const scripts: ResolvedScript[] = [];
    for (const { name, language, args, content, file, at } of skill.scripts ?? []) {
      if (content !== undefined) scripts.push({ name, language, args, content });
      else if (file !== undefined) {
        const read = this.#file(scriptsFrom, file, at);
        if (read) scripts.push({ name, language, args, content: read.text, file: read.file });
      }
    }
    return scripts;
  }

  #resources({ skill, resourcesFrom }: Definition): ResolvedResource[] {
    const resources: ResolvedResource[] = [];
    for (const { name, url, file, at } of skill.resources ?? []) {
      if (url !== undefined) resources.push({ name, url });
      else if (file !== undefined) {
        const read = this.#file(resourcesFrom, file, at);
        if (read) resources.push({ name, file: read.file, content: read.text });
      }
    }
    return resources;
  }

  #file(from: SourceFile, path: string, at: Location): { text: string; file: string } | undefined {
    const { session } = this.#options;
    const file = session.fileInside(from, path);
    if (!file) {
      session.report(
        'skill.unsafe-path',
        at,
        `The path ${quote(path)} leaves the folder that its file may use`,
      );
      return undefined;
    }
    const read = session.heldText(file);
    if ('text' in read) return { text: read.text, file: file.file };
    session.report('skill.missing-file', at, `Cannot read "${file.file}": ${read.problem}`);
    return undefined;
  }
}

function disabledBy(scope: Scope, { reference }: Dependency): string | undefined {
  return scope instanceof LensScope && reference && !reference.library
    ? scope.disabledBy(reference.name)
    : undefined;
}

/** Whether an entry says nothing beyond which skill it means. */
function isBareReference(skill: Skill): boolean {
  const saysMore = Object.keys(skill).some((key) => !['name', 'type', 'source', 'at', 'path'].includes(key));
  return skill.type === 'reference' && skill.source !== undefined && !saysMore;
}
