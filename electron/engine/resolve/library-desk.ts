import { StudioError } from '#shared/errors.ts';
import { lookupSkillName } from '#shared/lens/names.ts';
import { parseLibraryReference } from '#shared/lens/reference.ts';
import type { LibraryReference } from '#shared/lens/reference.ts';
import type {
  LibraryId,
  LibraryList,
  LibrarySkill,
  LibrarySkillDetail,
} from '#shared/model/library-skill.ts';
import { skillDefaults } from '#shared/model/skill.ts';
import type { WorkspaceEntry } from '#shared/model/workspace.ts';
import { readLock } from '../fount/lock-file.ts';
import type { ResolvedSkill } from './nodes.ts';
import type { Resolution } from './resolve.ts';
import type { WorkspaceResolver } from './workspace-resolver.ts';
import { copyOf } from './copy-entry.ts';

export interface LibraryDeskOptions {
  readonly root: string;
  readonly entries: () => readonly WorkspaceEntry[];
  readonly resolver: WorkspaceResolver;
}

const builtin = 'sunwell/common';

/** What the lenses of a workspace can use: its libraries and Agent Skills, the built-in library and locked founts. */
export class LibraryDesk {
  readonly #options: LibraryDeskOptions;

  constructor(options: LibraryDeskOptions) {
    this.#options = options;
  }

  /** Every skill of every library; a library that cannot be read is a sentence beside the others. */
  async list(): Promise<LibraryList> {
    const skills: LibrarySkill[] = [];
    const problems: string[] = [];
    for (const library of [...this.#files(), builtin, ...(await this.#founts(problems))]) {
      try {
        const nodes = await this.#nodes(library);
        skills.push(...nodes.map((node) => describe(library, node)));
      } catch (error) {
        if (!(error instanceof StudioError)) throw error;
        problems.push(error.message);
      }
    }
    return { skills, problems };
  }

  async show(library: LibraryId, name: string): Promise<LibrarySkillDetail> {
    const { skills } = await this.#resolve(library);
    const wanted = lookupSkillName(name);
    const node = skills.find((skill) => lookupSkillName(skill.name) === wanted && isOf(library, skill));
    if (!node)
      throw new StudioError('graph.unknown-skill', `Cannot find skill "${name}" in "${library}"`, {
        skill: name,
        file: library,
      });
    const byId = new Map(skills.map((skill) => [skill.id, skill]));
    const { entry, leftOut } = copyOf(node);
    return {
      ...describe(library, node),
      ...(node.skill.instructions === undefined ? {} : { instructions: node.skill.instructions }),
      scripts: node.scripts.map(({ name: script, language, content }) => ({
        ...{ name: script, language, content },
      })),
      dependsOn: node.dependsOn.flatMap(({ id }) => {
        const other = byId.get(id);
        return other ? [{ id, name: other.name, source: other.kind, origin: other.origin }] : [];
      }),
      entry,
      leftOut,
    };
  }

  #files(): string[] {
    const readable = this.#options.entries().filter(({ problem }) => problem === undefined);
    const filesOf = (wanted: WorkspaceEntry['kind']): string[] =>
      readable.filter(({ kind }) => kind === wanted).map(({ file }) => file);
    return [...filesOf('library'), ...filesOf('agent-skill')];
  }

  async #founts(problems: string[]): Promise<string[]> {
    try {
      return Object.keys((await readLock(this.#options.root)).founts);
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      problems.push(error.message);
      return [];
    }
  }

  async #nodes(library: LibraryId): Promise<ResolvedSkill[]> {
    const resolution = await this.#resolve(library);
    return resolution.skills.filter((node) => isOf(library, node));
  }

  async #resolve(library: LibraryId): Promise<Resolution> {
    const { resolver } = this.#options;
    const entry = this.#options.entries().find(({ file }) => file === library);
    if (entry?.kind === 'library') return resolver.resolve(library);
    const reference = entry ? ({ kind: 'path', path: `./${library}` } as const) : parseOutside(library);
    // Relative paths start at the workspace's own folder, wherever the lens will be that uses the skill.
    return resolver.resolveReference(reference, { ...resolver.source('any.lens'), file: library });
  }
}

/** Files are named only by the workspace's own list: a page must not read others by spelling a path. */
function parseOutside(library: string): LibraryReference {
  const parsed = parseLibraryReference(library);
  if (parsed.ok && parsed.value.kind !== 'path') return parsed.value;
  throw new StudioError(
    'file.not-in-workspace',
    `Cannot read "${library}": it is no library of this workspace`,
    {
      file: library,
    },
  );
}

/** Skills of other libraries come along where these depend on them; they are listed where they belong. */
function isOf(library: LibraryId, { kind, source }: ResolvedSkill): boolean {
  if (library === builtin) return kind === 'builtin' && source.file.startsWith(`${builtin}/`);
  return library.includes('://') ? source.file.includes('://') : source.file === library;
}

function describe(library: LibraryId, node: ResolvedSkill): LibrarySkill {
  const { skill } = node;
  return {
    ...{ library, id: node.id, name: node.name },
    ...(skill.description === undefined ? {} : { description: skill.description }),
    triggers: [...(skill.triggers ?? [])],
    source: node.kind,
    origin: node.origin,
    trust: skill.trust ?? skillDefaults.trust,
    requires: (skill.requires ?? []).map(({ key }) => key),
    produces: (skill.produces ?? []).map(({ key }) => key),
    languages: [...new Set(node.scripts.map(({ language }) => language))],
    hasInstructions: skill.instructions !== undefined,
  };
}
