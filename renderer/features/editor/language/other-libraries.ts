import type { OtherLibrary } from '#shared/lens/language/completion.ts';
import type { LibrarySkill } from '#shared/model/library-skill.ts';
import type { WorkspaceId } from '#shared/model/workspace.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';

const freshMs = 60_000;

/** Libraries that are no files of the workspace: what is built in, and locked founts. Asked for now and then. */
export class OtherLibraries {
  readonly #studio: Studio;
  #asked: { readonly workspace: string; readonly at: number } | undefined;
  #known: readonly OtherLibrary[] = [];

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  /** What is known of them by now: nobody who types waits until the engine has read all libraries. */
  all(): readonly OtherLibrary[] {
    const workspace = this.#studio.workspace.snapshot?.workspace;
    if (workspace === undefined) return [];
    if (this.#asked?.workspace !== workspace) this.#known = [];
    const isFresh = this.#asked?.workspace === workspace && performance.now() - this.#asked.at < freshMs;
    if (!isFresh) void this.#ask(workspace);
    return this.#known;
  }

  async #ask(workspace: WorkspaceId): Promise<void> {
    const asked = { workspace, at: performance.now() };
    this.#asked = asked;
    try {
      const { skills } = await this.#studio.engine.client.library.list({ workspace });
      if (this.#asked === asked) this.#known = byLibrary(skills);
    } catch {
      // Names of other libraries are a help, not a promise: completion goes on without them.
    }
  }
}

function byLibrary(skills: readonly LibrarySkill[]): OtherLibrary[] {
  const libraries = new Map<string, { name: string; description: string | undefined }[]>();
  for (const { library, source, name, description } of skills) {
    if (source !== 'builtin' && source !== 'fount') continue;
    const known = libraries.get(library);
    if (known) known.push({ name, description });
    else libraries.set(library, [{ name, description }]);
  }
  return [...libraries].map(([reference, found]) => ({ reference, skills: found }));
}
