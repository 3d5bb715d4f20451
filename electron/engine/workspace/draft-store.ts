import { mkdir, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { z } from 'zod';
import { StudioError } from '#shared/errors.ts';
import { Draft } from '#shared/model/draft.ts';
import type { PageId } from '#shared/model/draft.ts';
import type { FileId } from '#shared/model/workspace.ts';
import { digestOf } from '../store/digest.ts';
import { isMarkAlive, ownMark } from '../store/process-mark.ts';
import { readStateFile } from '../store/state-file.ts';
import { writeFile } from '../store/write-file.ts';

/** A draft with the process whose page holds it. */
const KeptDraft = Draft.extend({ owner: z.string() });
type KeptDraft = z.infer<typeof KeptDraft>;

/** A page that is typed into keeps its draft anew every few seconds. */
const typingMs = 10 * 60_000;

/** A draft on disk, and the page in its name. */
interface Found {
  readonly path: string;
  readonly page: string;
  readonly draft: KeptDraft;
}

/**
 * Typed text of one workspace that is not saved, in the user's folder. Each page has files of its own, so that two
 * windows on one file never write over each other; what no living page holds belongs to the next that asks.
 */
export class DraftStore {
  readonly #folder: string;
  readonly #owner = ownMark();
  readonly #living = new Map<PageId, number>();
  #working: Promise<unknown> = Promise.resolve();

  constructor(folder: string) {
    this.#folder = folder;
  }

  /** Passes the events on; the page counts as living until they end. */
  async *attend<T>(page: PageId, events: AsyncIterable<T>): AsyncGenerator<T, void> {
    this.#living.set(page, (this.#living.get(page) ?? 0) + 1);
    try {
      yield* events;
    } finally {
      const streams = (this.#living.get(page) ?? 1) - 1;
      if (streams > 0) this.#living.set(page, streams);
      else this.#living.delete(page);
    }
  }

  /** Keeps the text in place of what the page kept of this file before; whole, or the older text stays. */
  keep(page: PageId, draft: Omit<Draft, 'keptAt'>): Promise<void> {
    return this.#serially(() => this.#write(page, { ...draft, keptAt: new Date().toISOString() }));
  }

  /** The drafts of this page, after taking over those of pages that are gone; of one file the newest. */
  list(page: PageId): Promise<Draft[]> {
    return this.#serially(async () => {
      const found = (await this.#find()).sort((a, b) => (a.draft.keptAt < b.draft.keptAt ? 1 : -1));
      const mine = new Map(
        found.filter((kept) => kept.page === page).map(({ draft }) => [draft.file, draft]),
      );
      for (const kept of found) {
        const { file, text } = kept.draft;
        if (this.#isHeld(kept)) continue;
        const held = mine.get(file);
        if (!held && (await this.#takeOver(page, kept))) mine.set(file, kept.draft);
        else if (held?.text === text && kept.page !== page) await rm(kept.path, { force: true });
      }
      return [...mine.values()].map(({ owner: _, ...draft }) => draft);
    });
  }

  drop(page: PageId, file: FileId): Promise<void> {
    return this.#serially(() => rm(this.#pathOf(page, file), { force: true }));
  }

  async #write(page: PageId, draft: Draft): Promise<void> {
    const kept: KeptDraft = { ...draft, owner: this.#owner };
    try {
      await mkdir(this.#folder, { recursive: true, mode: 0o700 });
      await writeFile(this.#pathOf(page, draft.file), JSON.stringify(kept), { mode: 0o600 });
    } catch (error) {
      const { message } = error as Error;
      throw new StudioError('draft.unwritable', `Cannot keep unsaved text of "${draft.file}": ${message}`, {
        file: draft.file,
      });
    }
  }

  /** Answers false when another process was quicker. */
  async #takeOver(page: PageId, { path, draft }: Found): Promise<boolean> {
    try {
      await rename(path, this.#pathOf(page, draft.file));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return false;
      throw error;
    }
    await this.#write(page, draft);
    return true;
  }

  async #find(): Promise<Found[]> {
    const names = await readdir(this.#folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return [];
      throw new StudioError('draft.unreadable', `Cannot read unsaved text of earlier: ${error.message}`);
    });
    const found = names.map(async (name): Promise<Found[]> => {
      const page = /^[0-9a-f]{32}\.([a-z0-9-]{8,64})\.json$/.exec(name)?.[1];
      if (page === undefined) return [];
      const path = join(this.#folder, name);
      // A damaged one is set aside by its reader: it stays for the user to look into.
      const file = await readStateFile(path, KeptDraft);
      return file.state === 'read' ? [{ path, page, draft: file.value }] : [];
    });
    return (await Promise.all(found)).flat();
  }

  #isHeld({ path, page, draft }: Found): boolean {
    if (draft.owner === this.#owner) return this.#living.has(page as PageId);
    return isMarkAlive(draft.owner, { path, goodForMs: typingMs });
  }

  #pathOf(page: PageId, file: FileId): string {
    return join(this.#folder, `${digestOf(file).slice(0, 32)}.${page}.json`);
  }

  /** One at a time: a draft that is dropped while it is written must not come back. */
  #serially<T>(operation: () => Promise<T>): Promise<T> {
    const result = this.#working.then(operation);
    this.#working = result.catch(() => undefined);
    return result;
  }
}
