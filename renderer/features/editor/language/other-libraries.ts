import type { OtherLibrary } from '#shared/lens/language/completion.ts';
import type { LibrarySkill } from '#shared/model/library-skill.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';

const freshMs = 60_000;

/** Libraries that are no files of the workspace: what is built in, and locked founts. Asked for now and then. */
export class OtherLibraries {
  readonly #studio: Studio;
  #asked:
    { readonly workspace: string; readonly at: number; readonly list: Promise<OtherLibrary[]> } | undefined;

  constructor(studio: Studio) {
    this.#studio = studio;
  }

  all(): Promise<readonly OtherLibrary[]> {
    const workspace = this.#studio.workspace.snapshot?.workspace;
    if (workspace === undefined) return Promise.resolve([]);
    const isFresh = this.#asked?.workspace === workspace && performance.now() - this.#asked.at < freshMs;
    if (!isFresh) {
      const list = this.#studio.engine.client.library.list({ workspace }).then(
        ({ skills }) => byLibrary(skills),
        // Names of other libraries are a help, not a promise: completion goes on without them.
        () => [],
      );
      this.#asked = { workspace, at: performance.now(), list };
    }
    return this.#asked!.list;
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
