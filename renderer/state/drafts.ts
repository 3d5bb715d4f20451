import type { Draft, PageId } from '#shared/model/draft.ts';
import { randomName } from '#shared/random-name.ts';
import { DraftKeeper } from './draft-keeper.ts';
import type { DraftedDocument, DraftKeeperOptions } from './draft-keeper.ts';
import { toFailure } from './failure.ts';

interface DraftsOptions extends Omit<DraftKeeperOptions, 'document' | 'page'> {
  /** Opens the file of a draft and puts the text back where nothing else is typed there. */
  readonly restore: (draft: Draft) => Promise<DraftedDocument>;
  readonly restored: (drafts: readonly Draft[]) => void;
}

/** Unsaved text of this window: kept while it is typed, and found again by the next window after a crash. */
export class Drafts {
  /** Names this window to the engine for as long as it is open. */
  readonly page = randomName() as PageId;
  readonly #options: DraftsOptions;
  readonly #keepers = new Map<DraftedDocument, DraftKeeper>();

  constructor(options: DraftsOptions) {
    this.#options = options;
  }

  /** Whether nothing would be lost if this window were gone now. */
  get areKept(): boolean {
    return [...this.#keepers.values()].every(({ isKept }) => isKept);
  }

  follow(document: DraftedDocument): void {
    const keeper = new DraftKeeper({ ...this.#options, document, page: this.page });
    this.#keepers.set(document, keeper);
    document.closed.addEventListener('abort', () => this.#keepers.delete(document));
  }

  /** To be told of whatever was typed, saved or taken from the disk. */
  changed(document: DraftedDocument): void {
    this.#keepers.get(document)?.changed();
  }

  async flush(): Promise<void> {
    await Promise.all([...this.#keepers.values()].map((keeper) => keeper.flush()));
  }

  /** Tells an engine that was started anew what is typed here, then puts back what earlier windows left. */
  async bringBack(): Promise<void> {
    try {
      await Promise.all([...this.#keepers.values()].map((keeper) => keeper.keepAgain()));
      const { client, workspace } = this.#options.source();
      const restored: Draft[] = [];
      for (const draft of await client.drafts.list({ workspace, page: this.page })) {
        // Another folder was opened meanwhile: what was taken over here is found when this one is opened again.
        if (this.#options.source().workspace !== workspace) break;
        const document = await this.#options.restore(draft);
        if (document.isDirty && document.text === draft.text) restored.push(draft);
        await this.#keepers.get(document)?.took(draft.text, workspace);
      }
      if (restored.length > 0) this.#options.restored(restored);
    } catch (error) {
      const failure = toFailure(error);
      if (failure.code !== 'disconnected') this.#options.failed(failure);
    }
  }
}
