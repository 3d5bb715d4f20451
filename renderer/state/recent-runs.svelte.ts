import type { RunId, RunSummary } from '#shared/model/run.ts';
import type { Clock } from './clock.ts';
import type { DocumentSource } from './document.svelte.ts';
import { Latest } from './latest.svelte.ts';

/** What happened to the runs of a workspace since somebody looked before, newest first. */
export interface RunNews {
  readonly running: readonly RunSummary[];
  /** Those that ended meanwhile. */
  readonly ended: readonly RunSummary[];
}

interface RecentRunsOptions {
  readonly source: () => DocumentSource;
  readonly clock: Clock;
  /** Where the open workspace is: what ended in another one is no news here. */
  readonly location: () => string | undefined;
  readonly heard: (news: RunNews) => void;
}

/** More do not end between two looks. */
const lookedAt = 50;

/** Notices runs of the open workspace whoever starts them: this page, another one, or another process. */
export class RecentRuns {
  readonly #options: RecentRunsOptions;
  readonly #list: Latest<readonly RunSummary[]>;
  #location = $state.raw<string>();
  #running = $state.raw<readonly RunSummary[]>([]);
  #over: ReadonlySet<RunId> = new Set();

  constructor(options: RecentRunsOptions) {
    this.#options = options;
    this.#list = new Latest({
      clock: options.clock,
      ask: () => this.#read(),
      answered: (runs) => this.#compare(runs),
    });
  }

  /** Runs of the open workspace that go on, newest first. */
  get running(): readonly RunSummary[] {
    return this.#options.location() === this.#location ? this.#running : [];
  }

  /** Asks what runs there are, and tells what is new; the first look at a workspace only learns what was before. */
  look(): Promise<void> {
    return this.#list.ask();
  }

  #read(): Promise<readonly RunSummary[]> {
    const { client, workspace } = this.#options.source();
    return client.run.list({ workspace, limit: lookedAt });
  }

  #compare(runs: readonly RunSummary[]): void {
    const before = this.#over;
    const location = this.#options.location();
    const isFirstLook = location !== this.#location;
    this.#location = location;
    const running = runs.filter(({ status }) => status === 'running');
    const over = runs.filter(({ status }) => status !== 'running');
    this.#running = running;
    this.#over = new Set(over.map(({ runId }) => runId));
    if (!isFirstLook) this.#options.heard({ running, ended: over.filter(({ runId }) => !before.has(runId)) });
  }
}
