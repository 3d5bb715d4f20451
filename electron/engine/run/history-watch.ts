import { mkdirSync, watch } from 'node:fs';
import { historyIndexName } from './run-places.ts';

interface HistoryWatchOptions {
  /** Where the runs of one workspace are kept; made where there is none yet, since what is not there cannot be watched. */
  readonly folder: string;
  readonly changed: () => void;
  /** Runs of other processes are not seen; those of this one still are. */
  readonly failed: (error: unknown) => void;
}

/** A run that takes no time is told of once, and so is one of this process, which comes by both ways. */
const momentMs = 100;

/** Tells that runs of a workspace began or ended: those of other processes by the index they write into. */
export class HistoryWatch implements Disposable {
  readonly #options: HistoryWatchOptions;
  readonly #watcher: Disposable | undefined;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  /** Watches from the moment it is made: what begins after that is not missed. */
  constructor(options: HistoryWatchOptions) {
    this.#options = options;
    this.#watcher = this.#watch();
  }

  /** Tells of a run of this process, soon. */
  tell(): void {
    if (this.#isClosed) return;
    this.#timer ??= setTimeout(() => {
      this.#timer = undefined;
      this.#options.changed();
    }, momentMs).unref();
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#watcher?.[Symbol.dispose]();
  }

  #watch(): Disposable | undefined {
    const { folder, failed } = this.#options;
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      // The folder and not the file: an index that is written anew is another file.
      const watcher = watch(folder, { persistent: false }, (_event, name) => {
        if (name === historyIndexName) this.tell();
      });
      watcher.on('error', failed);
      return { [Symbol.dispose]: () => watcher.close() };
    } catch (error) {
      failed(error); // A home that cannot be written, or no watch is left: the studio works without.
      return undefined;
    }
  }
}
