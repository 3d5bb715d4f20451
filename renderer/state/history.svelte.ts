import type { RunComparison, RunId, RunSummary, SkillRun } from '#shared/model/run.ts';
import type { FileId } from '#shared/model/workspace.ts';
import type { Clock } from './clock.ts';
import type { DocumentSource } from './document.svelte.ts';
import type { Failure } from './failure.ts';
import { Latest } from './latest.svelte.ts';

interface HistoryViewOptions {
  readonly source: () => DocumentSource;
  readonly clock: Clock;
}

const pageSize = 100;
/** As many as are kept of a workspace, and asked for at once. */
const mostRuns = 500;
const tickMs = 1000;

/** The runs of the open workspace, newest first, and two of them side by side. */
export class HistoryView {
  readonly #options: HistoryViewOptions;
  readonly #list: Latest<readonly RunSummary[]>;
  readonly #comparison: Latest<RunComparison>;
  #chosen = $state.raw<readonly RunId[]>([]);
  #now = $state.raw(Date.now());
  #wanted = $state.raw(pageSize);

  constructor(options: HistoryViewOptions) {
    this.#options = options;
    this.#list = new Latest({ clock: options.clock, ask: (signal) => this.#read(signal) });
    this.#comparison = new Latest({ clock: options.clock, ask: (signal) => this.#compare(signal) });
  }

  get runs(): readonly RunSummary[] | undefined {
    return this.#list.answer;
  }

  /** Whether there may be runs before the ones that are listed. */
  get hasOlder(): boolean {
    return this.#wanted < mostRuns && (this.runs?.length ?? 0) >= this.#wanted;
  }

  /** What times are told from: kept true by `attend`. */
  get now(): number {
    return this.#now;
  }

  get failure(): Failure | undefined {
    return this.#list.failure ?? this.#comparison.failure;
  }

  /** At most two, the older first once both are there. */
  get chosen(): readonly RunId[] {
    return this.#chosen;
  }

  get comparison(): RunComparison | undefined {
    return this.#chosen.length === 2 ? this.#comparison.answer : undefined;
  }

  /** How long a run took, or takes so far. */
  tookMs({ status, startedAt, durationMs }: RunSummary): number {
    return status === 'running' ? Math.max(0, this.#now - startedAt) : durationMs;
  }

  /**
   * Keeps times true until the returned function is called. A run that goes on is asked for again: nobody tells of one
   * whose process is killed.
   */
  attend(): () => void {
    let isLeft = false;
    let stop: () => void = () => undefined;
    const wait = (): void => {
      stop = this.#options.clock.after(tickMs, () => void tick());
    };
    const tick = async (): Promise<void> => {
      this.#now = Date.now();
      if (this.runs?.some(({ status }) => status === 'running')) await this.ask();
      if (!isLeft) wait();
    };
    this.#now = Date.now();
    wait();
    return () => {
      isLeft = true;
      stop();
    };
  }

  ask(): Promise<void> {
    return this.#list.ask();
  }

  /** Lists older runs too, also from now on: with a run that is new, none falls out between two pages. */
  showOlder(): Promise<void> {
    this.#wanted += pageSize;
    return this.ask();
  }

  /** How one skill of a lens went in its last ten runs, newest first; nothing where that cannot be asked. */
  async ofSkill(file: FileId, skill: string): Promise<readonly SkillRun[]> {
    try {
      const { client, workspace } = this.#options.source();
      return await client.run.ofSkill({ workspace, file, skill, limit: 10 });
    } catch {
      // Beside what the inspector is for, the past is an extra: the history page says what is wrong.
      return [];
    }
  }

  /** Chooses a run to compare, or takes it back; a third choice replaces the first. */
  choose(run: RunId): void {
    const others = this.#chosen.filter((other) => other !== run);
    const chosen = others.length < this.#chosen.length ? others : [...others, run].slice(-2);
    this.#chosen = chosen.toSorted();
    if (chosen.length === 2) void this.#comparison.ask();
  }

  stopComparing(): void {
    this.#chosen = [];
  }

  #read(signal: AbortSignal): Promise<readonly RunSummary[]> {
    const { client, workspace } = this.#options.source();
    return client.run.list({ workspace, limit: this.#wanted }, { signal });
  }

  #compare(signal: AbortSignal): Promise<RunComparison> {
    const [a, b] = this.#chosen;
    const { client, workspace } = this.#options.source();
    if (a === undefined || b === undefined) throw new Error('Two runs are needed to compare');
    return client.run.compare({ workspace, a, b }, { signal });
  }
}
