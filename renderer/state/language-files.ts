import type { LanguageFile } from '#shared/lens/language/file-facts.ts';
import { fixturePlaces, isFixturesName } from '#shared/lens/language/fixture-places.ts';
import type { FileId, Revision, TextFile, WorkspaceEntry } from '#shared/model/workspace.ts';
import type { OpenDocument } from './document.svelte.ts';

interface LanguageFilesOptions {
  readonly entries: () => readonly WorkspaceEntry[];
  readonly document: (file: FileId) => OpenDocument | undefined;
  readonly read: (file: FileId) => Promise<TextFile>;
  /** The names of all files of the workspace. */
  readonly list: () => Promise<readonly FileId[]>;
}

/** A file to read; one without a revision is read each time. */
interface Wanted {
  readonly file: FileId;
  readonly kind: LanguageFile['kind'];
  readonly revision?: Revision;
}

const mostFiles = 500;
const readersAtOnce = 4;

/** The texts of all lenses and libraries: what is typed where a file is open, else what is on disk, read once a revision. */
export class LanguageFiles {
  readonly #options: LanguageFilesOptions;
  readonly #read = new Map<FileId, { readonly revision: Revision; readonly text: string }>();

  constructor(options: LanguageFilesOptions) {
    this.#options = options;
  }

  /** As many files as one wants to look through while somebody types, and the fixtures that the question is about. */
  all(asked?: FileId): Promise<LanguageFile[]> {
    const entries = this.#entries();
    const looked = entries.slice(0, mostFiles);
    if (asked === undefined || looked.some(({ file }) => file === asked)) return this.#texts(looked);
    const isFixtures = isFixturesName(asked) && this.#fixtures(entries).has(asked);
    const kind = isFixtures ? 'fixtures' : this.#options.document(asked)?.kind;
    // Its file may be gone from the disk while its text stands here, or be one too many.
    const isKnown = kind === 'fixtures' || kind === 'lens' || kind === 'library';
    return this.#texts(isKnown ? [...looked, { file: asked, kind }] : looked);
  }

  /** Every file that can name a skill, also the fixtures of lenses and libraries. */
  async withFixtures(): Promise<LanguageFile[]> {
    const entries = this.#entries();
    const places = this.#fixtures(entries);
    const listed = await this.#options.list();
    const fixtures = listed
      .filter((file) => places.has(file))
      .map((file): Wanted => ({ file, kind: 'fixtures' }));
    return this.#texts([...entries, ...fixtures]);
  }

  /** Every place at which fixtures of these lenses and libraries may be. */
  #fixtures(entries: readonly Wanted[]): ReadonlySet<string> {
    const places = new Set(entries.flatMap(({ file }) => fixturePlaces(file)));
    for (const { file } of entries) places.delete(file);
    return places;
  }

  #entries(): Wanted[] {
    return this.#options.entries().flatMap(({ file, kind, revision }) => {
      return kind === 'agent-skill' ? [] : [{ file, kind, revision }];
    });
  }

  /** Every file whose text can be had; one that cannot be read is told of elsewhere, and left out here. */
  async #texts(wanted: readonly Wanted[]): Promise<LanguageFile[]> {
    const texts = new Map<FileId, string>();
    const queue = wanted.values();
    const reader = async (): Promise<void> => {
      for (const one of queue) {
        const text = this.#known(one) ?? (await this.#load(one));
        if (text !== undefined) texts.set(one.file, text);
      }
    };
    await Promise.all(Array.from({ length: readersAtOnce }, reader));
    return wanted.flatMap(({ file, kind }) => {
      // What was typed while other files were read counts.
      const text = this.#typed(file) ?? texts.get(file);
      return text === undefined ? [] : [{ file, kind, text }];
    });
  }

  #typed(file: FileId): string | undefined {
    const document = this.#options.document(file);
    return document?.phase.phase === 'ready' ? document.text : undefined;
  }

  #known({ file, revision }: Wanted): string | undefined {
    const read = this.#read.get(file);
    return (
      this.#typed(file) ?? (revision !== undefined && read?.revision === revision ? read.text : undefined)
    );
  }

  async #load({ file, revision }: Wanted): Promise<string | undefined> {
    try {
      const { text } = await this.#options.read(file);
      if (revision !== undefined) this.#read.set(file, { revision, text });
      return text;
    } catch {
      // The explorer or the tests panel tells of a file that cannot be read; names in it cannot be known.
      return undefined;
    }
  }
}
