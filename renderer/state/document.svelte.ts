import type { StudioClient } from '#shared/contract.ts';
import { errorTable } from '#shared/errors.ts';
import type { Revision, TextFile, WorkspaceEntry, WorkspaceId } from '#shared/model/workspace.ts';
import { EditedText } from './edited-text.svelte.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';

/** Where a document gets and puts its text. */
export interface DocumentSource {
  readonly client: StudioClient;
  readonly workspace: WorkspaceId;
}

/** What to open: an entry of the workspace, or another file that lenses use, such as a script. */
export interface DocumentTarget {
  readonly file: TextFile['file'];
  readonly kind: WorkspaceEntry['kind'] | 'file';
}

interface OpenDocumentOptions {
  readonly target: DocumentTarget;
  readonly source: () => DocumentSource;
  /** What resolving would read has changed: by typing, or by what was taken from or put on the disk. */
  readonly changed: (by: 'typing' | 'disk') => void;
}

export type DocumentPhase =
  | { readonly phase: 'loading' }
  | { readonly phase: 'ready' }
  | { readonly phase: 'unreadable'; readonly failure: Failure };

/** What stands between the text here and the file on disk. */
export type Trouble =
  | { readonly kind: 'changed-on-disk'; readonly disk: TextFile }
  | { readonly kind: 'deleted' }
  | { readonly kind: 'not-saved'; readonly failure: Failure };

const maxBytes = 1_048_576;

/**
 * One file's text in the studio. It never drops what was typed: only `reload` replaces it, and only when asked or clean.
 * Whatever changes the text after it was opened, the disk included, is a step of one history.
 */
export class OpenDocument extends EditedText {
  readonly kind: DocumentTarget['kind'];
  readonly #options: OpenDocumentOptions;
  #phase = $state.raw<DocumentPhase>({ phase: 'loading' });
  #saved = $state.raw<{ text: string; revision: Revision }>();
  #trouble = $state.raw<Trouble>();
  #isSaving = $state.raw(false);
  #isRestored = $state.raw(false);
  #disk: Promise<unknown> = Promise.resolve();

  readonly isDirty = $derived(this.#saved !== undefined && this.#saved.text !== this.text);

  constructor(options: OpenDocumentOptions) {
    super(options.target.file, () => options.changed('typing'));
    this.#options = options;
    this.kind = options.target.kind;
  }

  get phase(): DocumentPhase {
    return this.#phase;
  }

  get trouble(): Trouble | undefined {
    return this.#trouble;
  }

  /** The text as it is on disk, as far as known. */
  get savedText(): string {
    return this.#saved?.text ?? '';
  }

  get isSaving(): boolean {
    return this.#isSaving;
  }

  /** Whether the unsaved text here was typed in an earlier window, which ended before it was saved. */
  get isRestored(): boolean {
    return this.#isRestored && this.isDirty;
  }

  /** The version on disk that the text here started from. */
  get base(): Revision | undefined {
    return this.#saved?.revision;
  }

  load(): Promise<void> {
    return this.#serially(() => this.#load());
  }

  /** Resolves when everything asked of the disk so far is done. */
  atRest(): Promise<void> {
    return this.#serially(() => Promise.resolve());
  }

  /** Whether a file that is gone can be written again: lenses and libraries are the only files that the studio makes. */
  get canBeMade(): boolean {
    return this.kind === 'lens' || this.kind === 'library';
  }

  /**
   * Writes the text; answers whether the disk has it now. A refusal becomes the document's trouble. Once the user knows
   * that the file is gone, saving makes it anew.
   */
  save(): Promise<boolean> {
    return this.#serially(async () => {
      if (!this.isDirty && this.#trouble === undefined) return true;
      if (this.#trouble?.kind === 'deleted' && this.canBeMade) return this.#write(undefined);
      return this.#saved ? this.#write(this.#saved.revision) : false;
    });
  }

  /** Takes a file that was made here off the disk, unless there is more to it than what it was made with; answers whether. */
  remove(): Promise<boolean> {
    return this.#serially(async () => {
      if (this.isDirty || this.#trouble !== undefined) return false;
      const { client, workspace } = this.#options.source();
      await client.lens.remove({ workspace, file: this.file });
      return true;
    });
  }

  /** Writes the text over the version on disk that the user has been shown. */
  overwrite(): Promise<boolean> {
    return this.#serially(async () =>
      this.#trouble?.kind === 'changed-on-disk' ? this.#write(this.#trouble.disk.revision) : false,
    );
  }

  /** Takes the version on disk and gives up what was typed. */
  reload(): void {
    if (this.#trouble?.kind !== 'changed-on-disk') return;
    this.#takeOver(this.#trouble.disk);
    this.#options.changed('disk');
  }

  /** Looks at the disk again: a clean document follows it, a dirty one gets a conflict. Without a revision it is read. */
  checkDisk(revision: Revision | undefined): Promise<void> {
    return this.#serially(async () => {
      if (this.#phase.phase === 'unreadable') return this.#load();
      if (revision !== undefined && this.#saved?.revision === revision) return this.#forgetAbsence();
      try {
        this.#compareWith(await this.#read());
      } catch (error) {
        this.#refuse(toFailure(error));
      }
    });
  }

  /** Puts text back that an earlier window did not save, unless something else is typed here. A file that changed since is a conflict. */
  restore({ text, base }: { text: string; base: Revision }): Promise<void> {
    return this.#serially(() => {
      if (!this.isDirty) this.#restore(text, base);
      return Promise.resolve();
    });
  }

  /** Takes the text as it was last saved; undo brings back what was typed. */
  revert(): void {
    if (this.#saved) this.edit(this.#saved.text);
  }

  fileRemoved(): void {
    this.#trouble = { kind: 'deleted' };
  }

  async #load(): Promise<void> {
    this.#phase = { phase: 'loading' };
    try {
      const disk = await this.#read();
      this.begin(disk.text);
      this.#adopt(disk);
      this.#phase = { phase: 'ready' };
    } catch (error) {
      this.#phase = { phase: 'unreadable', failure: toFailure(error) };
    }
  }

  #restore(text: string, base: Revision): void {
    if (this.#phase.phase === 'unreadable') {
      const { failure } = this.#phase;
      this.#saved = { text: '', revision: base };
      this.#phase = { phase: 'ready' };
      this.#refuse(failure);
    } else if (this.#saved && this.#saved.revision !== base && this.#saved.text !== text) {
      const disk = { file: this.file, ...this.#saved };
      this.#trouble = { kind: 'changed-on-disk', disk };
      // With the old revision a save is refused, and cannot write over what the user has not seen.
      this.#saved = { text: disk.text, revision: base };
    }
    this.#isRestored = true;
    this.edit(text);
  }

  /** The file and the engine are there again, so nothing may say that they are not. */
  #forgetAbsence(): void {
    const wasAway =
      this.#trouble?.kind === 'deleted' ||
      (this.#trouble?.kind === 'not-saved' && this.#trouble.failure.code === 'disconnected');
    if (wasAway) this.#trouble = undefined;
  }

  #compareWith(disk: TextFile): void {
    if (disk.revision === this.#saved?.revision) return this.#forgetAbsence();
    if (!this.isDirty || disk.text === this.text) this.#takeOver(disk);
    else this.#trouble = { kind: 'changed-on-disk', disk };
  }

  /** Without a version to start from there must be no file. */
  async #write(base: Revision | undefined): Promise<boolean> {
    const text = this.text;
    if (new TextEncoder().encode(text).length > maxBytes) {
      const message = `Cannot save "${this.file}": the text is larger than 1 MiB`;
      this.#refuse({ code: 'file.too-large', message, wayOut: errorTable['file.too-large'] });
      return false;
    }
    this.#isSaving = true;
    try {
      const { client, workspace } = this.#options.source();
      const written = { workspace, file: this.file, text };
      const { revision } =
        base === undefined ? await client.lens.create(written) : await client.lens.save({ ...written, base });
      this.#saved = { text, revision };
      this.#isRestored = false;
      this.#trouble = undefined;
      this.#options.changed('disk');
      return true;
    } catch (error) {
      await this.#refused(toFailure(error));
      return false;
    } finally {
      this.#isSaving = false;
    }
  }

  async #refused(failure: Failure): Promise<void> {
    if (failure.code !== 'file.changed' && failure.code !== 'file.exists') return this.#refuse(failure);
    try {
      this.#compareWith(await this.#read());
    } catch (error) {
      this.#refuse(toFailure(error));
    }
  }

  #refuse(failure: Failure): void {
    const isGone = failure.code === 'file.not-found' || failure.code === 'file.not-in-workspace';
    this.#trouble = isGone ? { kind: 'deleted' } : { kind: 'not-saved', failure };
  }

  #read(): Promise<TextFile> {
    const { client, workspace } = this.#options.source();
    return client.lens.read({ workspace, file: this.file });
  }

  #adopt(disk: TextFile): void {
    this.#saved = { text: disk.text, revision: disk.revision };
    this.#isRestored = false;
    this.#trouble = undefined;
  }

  #takeOver(disk: TextFile): void {
    this.#adopt(disk);
    this.takeFromDisk(disk.text);
  }

  /** One disk operation at a time: the event of our own save must not look like somebody else's change. */
  #serially<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.#disk.then(operation);
    this.#disk = result.catch(() => undefined);
    return result;
  }
}
