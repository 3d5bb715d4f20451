import type { LanguageFile } from '#shared/lens/language/file-facts.ts';
import type { FileId, Revision, TextFile, WorkspaceEntry } from '#shared/model/workspace.ts';
import type { OpenDocument } from './document.svelte.ts';

interface LanguageFilesOptions {
  readonly entries: () => readonly WorkspaceEntry[];
  readonly document: (file: FileId) => OpenDocument | undefined;
  readonly read: (file: FileId) => Promise<TextFile>;
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

  /** Every file whose text can be had; one that cannot be read is told of elsewhere, and left out here. */
  async all(): Promise<LanguageFile[]> {
    const entries = this.#options
      .entries()
      .filter((entry) => entry.kind !== 'agent-skill')
      .slice(0, mostFiles);
    const queue = entries.filter((entry) => this.#textOf(entry) === undefined).values();
    const reader = async (): Promise<void> => {
      for (const entry of queue) await this.#load(entry);
    };
    await Promise.all(Array.from({ length: readersAtOnce }, reader));
    return entries.flatMap((entry) => {
      const text = this.#textOf(entry);
      return text === undefined ? [] : [{ file: entry.file, kind: entry.kind, text }];
    });
  }

  #textOf({ file, revision }: WorkspaceEntry): string | undefined {
    const document = this.#options.document(file);
    if (document?.phase.phase === 'ready') return document.text;
    const read = this.#read.get(file);
    return read?.revision === revision ? read.text : undefined;
  }

  async #load({ file, revision }: WorkspaceEntry): Promise<void> {
    try {
      const { text } = await this.#options.read(file);
      this.#read.set(file, { revision, text });
    } catch {
      // The explorer marks a file that cannot be read; names in it cannot be known.
    }
  }
}
