import { readOutline } from '#shared/lens/outline.ts';
import type { FileId, Revision, TextFile, WorkspaceEntry } from '#shared/model/workspace.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';

export interface IndexedSkill {
  readonly file: FileId;
  readonly name: string;
}

interface SkillIndexOptions {
  readonly read: (file: FileId) => Promise<TextFile>;
  readonly failed: (failure: Failure) => void;
}

const mostFiles = 500;
const readersAtOnce = 4;

/** The names of the workspace's skills, read when they are first searched and again only where a file changed. */
export class SkillIndex {
  readonly #options: SkillIndexOptions;
  #byFile = $state.raw<ReadonlyMap<FileId, { revision: Revision; names: readonly string[] }>>(new Map());

  readonly skills = $derived.by(() =>
    [...this.#byFile]
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .flatMap(([file, { names }]) => names.map((name): IndexedSkill => ({ file, name }))),
  );

  constructor(options: SkillIndexOptions) {
    this.#options = options;
  }

  async refresh(entries: readonly WorkspaceEntry[]): Promise<void> {
    const wanted = entries.filter((entry) => entry.kind !== 'agent-skill').slice(0, mostFiles);
    const known = this.#byFile;
    const next = new Map(
      wanted.flatMap(({ file, revision }) => {
        const found = known.get(file);
        return found?.revision === revision ? [[file, found] as const] : [];
      }),
    );
    const queue = wanted.filter(({ file }) => !next.has(file)).values();
    const reader = async (): Promise<void> => {
      for (const { file } of queue) await this.#index(file, next);
    };
    await Promise.all(Array.from({ length: readersAtOnce }, reader));
    this.#byFile = next;
  }

  async #index(
    file: FileId,
    into: Map<FileId, { revision: Revision; names: readonly string[] }>,
  ): Promise<void> {
    try {
      const { text, revision } = await this.#options.read(file);
      into.set(file, { revision, names: readOutline(text).skills.map(({ name }) => name) });
    } catch (error) {
      const failure = toFailure(error);
      // A file with a problem of its own is already marked in the explorer.
      if (failure.code === 'internal') this.#options.failed(failure);
    }
  }
}
