import type { Reason } from '#shared/model/plan.ts';
import { keptFileTexts } from './kept-file-texts.ts';
import { isSameFiles } from './same-files.ts';
import type { Planner } from '../plan/planner.ts';
import type { Snapshot } from '../sandbox/stage/snapshot.ts';

/** Gives every skill the part of the workspace that it sees. */
export type Views = Pick<Snapshot, 'view'>;

const nothing: Promise<Views> = Promise.resolve({
  view: () => Promise.resolve({ folder: undefined, files: new Map() }),
});

export interface RunFilesOptions {
  /** The workspace by content when the plan was made. */
  readonly files: ReadonlyMap<string, string>;
  readonly makePlanner: (files: ReadonlyMap<string, string>) => Planner;
  readonly takeSnapshot: () => Promise<Snapshot>;
}

/**
 * What a run sees of the workspace: hashes as long as everything comes from the cache, and one copy for all steps as soon
 * as one must run. A workspace that changed in between gets a planner of its own: a result must never be kept under the
 * hashes of files that the script did not see.
 */
export class RunFiles implements Disposable {
  readonly #options: RunFilesOptions;
  #files: ReadonlyMap<string, string>;
  #planner: Planner;
  #snapshot: Promise<Snapshot> | undefined;
  #taken: Snapshot | undefined;
  #isDisposed = false;
  readonly #kept = new Set<ReadonlyMap<string, string>>();

  constructor(options: RunFilesOptions, planner: Planner) {
    this.#options = options;
    this.#files = options.files;
    this.#planner = planner;
  }

  get files(): ReadonlyMap<string, string> {
    return this.#files;
  }

  /** Asked again after every wait: it is another one when the workspace was found changed. */
  get planner(): Planner {
    return this.#planner;
  }

  /** Where a step finds these files of the workspace; one that sees none needs no copy, whatever there is. */
  viewOf(files: ReadonlyMap<string, string> | undefined): Promise<Views> {
    if (files?.size === 0) return nothing;
    return (this.#snapshot ??= this.#take());
  }

  /** Texts of the files that a step saw, for its entry in the cache; what an earlier step saw too is in that one's. */
  textsFor(files: ReadonlyMap<string, string>, reasons: readonly Reason[]): string[] {
    const snapshot = this.#taken;
    if (!snapshot || this.#kept.has(files)) return [];
    this.#kept.add(files);
    return keptFileTexts(files, reasons, (path, maxBytes) => snapshot.read(path, maxBytes));
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    this.#taken?.[Symbol.dispose]();
  }

  async #take(): Promise<Snapshot> {
    const snapshot = await this.#options.takeSnapshot();
    this.#taken = snapshot;
    if (this.#isDisposed) snapshot[Symbol.dispose]();
    if (!isSameFiles(this.#files, snapshot.files)) {
      this.#files = snapshot.files;
      this.#planner = this.#options.makePlanner(snapshot.files);
    }
    return snapshot;
  }
}
