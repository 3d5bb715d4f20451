import type { PageId } from '#shared/model/draft.ts';
import type { WorkspaceId } from '#shared/model/workspace.ts';
import type { Clock } from './clock.ts';
import type { DocumentSource, OpenDocument } from './document.svelte.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';

export type DraftedDocument = Pick<OpenDocument, 'file' | 'text' | 'base' | 'isDirty' | 'closed'>;

export interface DraftKeeperOptions {
  readonly document: DraftedDocument;
  readonly page: PageId;
  readonly source: () => DocumentSource;
  readonly clock: Clock;
  /** The text is not kept, and why; told once until it is kept again. */
  readonly failed: (failure: Failure) => void;
}

/** How long the typing must pause, and how long at most it goes on without being kept. */
const pauseMs = 500;
const longestMs = 2000;

/** Keeps the unsaved text of one document with the engine, from the first letter until it is saved or given up. */
export class DraftKeeper {
  readonly #options: DraftKeeperOptions;
  #kept: { readonly text: string; readonly workspace: WorkspaceId } | undefined;
  #cancelPause: (() => void) | undefined;
  #cancelLongest: (() => void) | undefined;
  #hasFailed = false;
  #sending: Promise<void> = Promise.resolve();

  constructor(options: DraftKeeperOptions) {
    this.#options = options;
    options.document.closed.addEventListener('abort', () => {
      this.#stopWaiting();
      void this.#serially(() => this.#drop());
    });
  }

  /** Whether the engine has what is here, so that the page may go. */
  get isKept(): boolean {
    const { isDirty, text } = this.#options.document;
    return !isDirty || this.#kept?.text === text;
  }

  /** To be told of whatever was typed, saved or taken from the disk. */
  changed(): void {
    const { isDirty, text } = this.#options.document;
    if (!isDirty) return void this.flush();
    if (this.#kept?.text === text) return this.#stopWaiting();
    const { clock } = this.#options;
    const flush = (): void => void this.flush();
    // Typing without a pause puts the moment off, but not for ever.
    this.#cancelPause?.();
    this.#cancelPause = clock.after(pauseMs, flush);
    this.#cancelLongest ??= clock.after(longestMs, flush);
  }

  /** Keeps the text as it is now, or drops what was kept when it is saved. */
  flush(): Promise<void> {
    this.#stopWaiting();
    return this.#serially(() => (this.#options.document.isDirty ? this.#keep() : this.#drop()));
  }

  /** The engine has this text of an earlier window under the name of this one. */
  async took(text: string, workspace: WorkspaceId): Promise<void> {
    this.#kept = { text, workspace };
    await this.flush();
  }

  /** What was kept is with an engine that ended, and may not be there any more. */
  async keepAgain(): Promise<void> {
    this.#kept = undefined;
    if (this.#options.document.isDirty) await this.flush();
  }

  #stopWaiting(): void {
    this.#cancelPause?.();
    this.#cancelLongest?.();
    this.#cancelPause = this.#cancelLongest = undefined;
  }

  async #keep(): Promise<void> {
    const { document, page, failed } = this.#options;
    const { file, text, base } = document;
    if (base === undefined || this.#kept?.text === text) return;
    try {
      const { client, workspace } = this.#options.source();
      await client.drafts.keep({ workspace, page, file, text, base });
      this.#kept = { text, workspace };
      this.#hasFailed = false;
    } catch (error) {
      const failure = toFailure(error);
      // Without an engine the text is kept when it is back.
      if (!this.#hasFailed && failure.code !== 'disconnected') failed(failure);
      this.#hasFailed = failure.code !== 'disconnected';
    }
  }

  async #drop(): Promise<void> {
    const kept = this.#kept;
    if (!kept) return;
    this.#kept = undefined;
    const { document, page, source } = this.#options;
    try {
      await source().client.drafts.drop({ workspace: kept.workspace, page, file: document.file });
    } catch {
      // What stays behind comes back once more, where the user sees that it is old.
    }
  }

  /** One at a time, so that the last word is the last. */
  #serially(operation: () => Promise<void>): Promise<void> {
    this.#sending = this.#sending.then(operation);
    return this.#sending;
  }
}
