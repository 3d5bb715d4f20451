import { didYouMean } from '#shared/lens/names.ts';
import { removeDependencyFix, replaceDependencyFixes } from '#shared/lens/fixes.ts';
import { quote } from '#shared/lens/problems.ts';
import type { QuickFix } from '#shared/model/diagnostic.ts';
import type { Dependency, Skill } from '#shared/model/skill.ts';
import type { Scope } from './candidate.ts';
import type { Libraries, Library } from './libraries.ts';
import type { SourceFile } from './place.ts';
import { relativeReference } from './place.ts';
import type { Session } from './session.ts';

export interface MissingDependency {
  readonly skill: Skill;
  readonly dependency: Dependency;
  readonly scope: Scope;
  readonly source: SourceFile;
  /** Set where the skill exists but a condition keeps it out. */
  readonly disabledBy: string | undefined;
}

/** Says what a dependency that leads nowhere could have meant, and offers to write that. */
export class Suggestions {
  readonly #session: Session;
  readonly #libraries: Libraries;

  constructor(session: Session, libraries: Libraries) {
    this.#session = session;
    this.#libraries = libraries;
  }

  async reportMissing(missing: MissingDependency): Promise<void> {
    const { skill, dependency, scope, source, disabledBy } = missing;
    const what = `Skill ${quote(skill.name)} depends on ${quote(dependency.text)}`;
    if (disabledBy !== undefined) {
      this.#session.report(
        'graph.missing-dependency',
        dependency.at,
        `${what}, which is disabled: ${disabledBy}`,
      );
      return;
    }
    const wanted = dependency.reference?.name ?? dependency.text;
    const candidates = [...(await this.#elsewhere(wanted, source)), ...near(wanted, scope)];
    const hint =
      candidates.length === 0 ? '' : `: did you mean ${candidates.slice(0, 3).map(quote).join(' or ')}?`;
    this.#session.report('graph.missing-dependency', dependency.at, `${what}, which does not exist${hint}`, {
      fixes: await this.#fixes(missing, candidates),
    });
  }

  /** References to the same name in libraries that the lens could use. */
  async #elsewhere(name: string, source: SourceFile): Promise<string[]> {
    const found: string[] = [];
    const { builtin, workspaceLibraries } = this.#session.options;
    const shipped = await this.#libraries.load({ kind: 'builtin', name: builtin.label }, source);
    if (!('problem' in shipped) && shipped.lookup(name).length > 0) found.push(`${builtin.label}:${name}`);
    for (const file of await workspaceLibraries()) {
      if (file.path === source.path) continue;
      const library: Library | undefined = await this.#quietly(file);
      if (library && library.lookup(name).length > 0)
        found.push(`${relativeReference(source, file)}:${name}`);
    }
    return found;
  }

  /** A library read only to suggest from it: its problems are not the lens's. */
  async #quietly(file: SourceFile): Promise<Library | undefined> {
    const read = this.#session.text(file.path);
    if ('problem' in read) return undefined;
    return this.#libraries.peek(file, read.text);
  }

  #fixes(missing: MissingDependency, candidates: readonly string[]): Promise<readonly QuickFix[]> {
    const { skill, dependency, source } = missing;
    return this.#session.fixes(source, (yaml) => [
      ...replaceDependencyFixes(yaml, dependency, candidates.slice(0, 5)),
      ...removeDependencyFix(yaml, skill, dependency),
    ]);
  }
}

function near(name: string, scope: Scope): string[] {
  const meant = didYouMean(name, scope.names());
  return meant === undefined ? [] : [meant];
}
