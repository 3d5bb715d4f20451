import { matchSkills } from '#shared/agent-skills/match.ts';
import type { LibraryList, LibrarySkill, LibrarySkillDetail } from '#shared/model/library-skill.ts';
import type { Clock } from './clock.ts';
import type { DocumentSource } from './document.svelte.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { Latest } from './latest.svelte.ts';

interface LibraryViewOptions {
  readonly source: () => DocumentSource;
  readonly clock: Clock;
}

/** Skills of one library, as they are listed. */
export interface LibraryGroup {
  readonly library: string;
  readonly skills: readonly LibrarySkill[];
}

/** Every skill that a lens could use, what is looked for among them, and the one that is read. */
export class LibraryView {
  readonly #options: LibraryViewOptions;
  readonly #list: Latest<LibraryList>;
  #query = $state.raw('');
  #selectedId = $state.raw<string>();
  #detail = $state.raw<{ id: string; detail?: LibrarySkillDetail; failure?: Failure }>();

  readonly found = $derived.by((): readonly LibrarySkill[] => {
    const query = this.#query.trim();
    return query === '' ? this.skills : searchSkills(this.skills, query);
  });
  /** What is found, by library; while something is looked for, the library with the best match first. */
  readonly groups = $derived.by((): LibraryGroup[] => {
    const groups = new Map<string, LibrarySkill[]>();
    for (const skill of this.found) {
      const known = groups.get(skill.library);
      if (known) known.push(skill);
      else groups.set(skill.library, [skill]);
    }
    return [...groups].map(([library, skills]) => ({ library, skills }));
  });
  readonly selected = $derived(this.found.find(({ id }) => id === this.#selectedId) ?? this.found[0]);

  constructor(options: LibraryViewOptions) {
    this.#options = options;
    this.#list = new Latest({
      clock: options.clock,
      ask: async (signal) => {
        const { client, workspace } = options.source();
        return client.library.list({ workspace }, { signal });
      },
    });
  }

  /** Undefined until the engine has answered. */
  get isKnown(): boolean {
    return this.#list.answer !== undefined;
  }

  get skills(): readonly LibrarySkill[] {
    return this.#list.answer?.skills ?? [];
  }

  get problems(): readonly string[] {
    return this.#list.answer?.problems ?? [];
  }

  get failure(): Failure | undefined {
    return this.#list.failure;
  }

  get query(): string {
    return this.#query;
  }

  /** The selected skill in full, once it has been read. */
  get detail(): { detail?: LibrarySkillDetail; failure?: Failure } | undefined {
    return this.#detail?.id === this.selected?.id ? this.#detail : undefined;
  }

  ask(): Promise<void> {
    return this.#list.ask();
  }

  /** Looks for other words; the best match is selected. */
  search(query: string): void {
    this.#query = query;
    this.#selectedId = undefined;
  }

  select(id: string | undefined): void {
    this.#selectedId = id;
  }

  /** Reads the selected skill; an answer for one that is not selected any more is dropped. */
  async readSelected(): Promise<void> {
    const { selected } = this;
    if (!selected || this.#detail?.id === selected.id) return;
    const { id } = selected;
    try {
      this.#keep(id, { detail: await this.show(selected) });
    } catch (error) {
      this.#keep(id, { failure: toFailure(error) });
    }
  }

  show({ library, name }: LibrarySkill): Promise<LibrarySkillDetail> {
    const { client, workspace } = this.#options.source();
    return client.library.show({ workspace, library, skill: name });
  }

  #keep(id: string, found: { detail: LibrarySkillDetail } | { failure: Failure }): void {
    if (this.selected?.id === id) this.#detail = { id, ...found };
  }
}

/** Best first: those that hold the words as typed in their name, then by what they say they do. */
export function searchSkills(skills: readonly LibrarySkill[], query: string): LibrarySkill[] {
  const wanted = query.toLowerCase();
  const byId = new Map(skills.map((skill) => [skill.id, skill]));
  const named = skills.filter(
    ({ name, requires, produces }) =>
      name.includes(wanted) || [...requires, ...produces].some((key) => key.toLowerCase() === wanted),
  );
  const matches = matchSkills(
    query,
    skills.map(({ id, name, description, triggers }) => ({
      ...{ skill: id, name, triggers },
      ...(description !== undefined && { description }),
    })),
  );
  return [...new Set([...named, ...matches.flatMap(({ skill }) => byId.get(skill) ?? [])])];
}
