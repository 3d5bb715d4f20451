import { SvelteMap } from 'svelte/reactivity';
import type { RunId } from '#shared/model/run.ts';
import type {
  FixtureList,
  FixtureResult,
  FixtureState,
  FixtureSummary,
  TestEvent,
} from '#shared/model/test-report.ts';
import type { FileId } from '#shared/model/workspace.ts';
import { countText } from '#shared/quantities.ts';
import type { Clock } from './clock.ts';
import type { DocumentSource } from './document.svelte.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { Latest } from './latest.svelte.ts';

export type TestState = FixtureState | 'not-run' | 'waiting' | 'running';

/** What became of a fixture since the lens was opened. */
interface Attempt {
  readonly state: Exclude<TestState, 'not-run'>;
  readonly result?: FixtureResult;
}

/** A fixture with how it stands. */
export interface TestRow {
  readonly fixture: FixtureSummary;
  readonly state: TestState;
  readonly result: FixtureResult | undefined;
}

/** What of a run becomes a fixture; the engine finds a name where none is given. */
export interface FixtureWish {
  readonly skill: string | undefined;
  readonly name: string;
}

interface TestsViewOptions {
  readonly file: FileId;
  readonly source: () => DocumentSource;
  readonly clock: Clock;
  /** Saves what is typed, since tests read the disk; answers whether all of it is saved. */
  readonly saveAll: () => Promise<boolean>;
}

/** The fixtures of one open lens and what came of trying them. */
export class TestsView {
  readonly #options: TestsViewOptions;
  readonly #list: Latest<FixtureList>;
  readonly #attempts = new SvelteMap<string, Attempt>();
  #running = $state.raw<AbortController>();
  #runFailure = $state.raw<Failure>();
  #selected = $state.raw<string>();

  readonly rows = $derived.by((): readonly TestRow[] =>
    (this.list?.fixtures ?? []).map((fixture) => {
      const { state = 'not-run', result } = this.#attempts.get(fixture.name) ?? {};
      return { fixture, state, result };
    }),
  );
  readonly current = $derived.by(
    () => this.rows.find(({ fixture }) => fixture.name === this.#selected) ?? this.rows[0],
  );
  readonly problems = $derived.by(() => this.list?.diagnostics ?? []);
  /** Fixtures are tried only when their file has no errors. */
  readonly canRun = $derived.by(
    () =>
      !this.isRunning && this.rows.length > 0 && this.problems.every(({ severity }) => severity !== 'error'),
  );
  readonly failed = $derived.by(() => this.#count('failed') + this.#count('error'));
  /** How it stands in one line. */
  readonly summary = $derived.by(() => {
    const waiting = this.#count('waiting') + this.#count('running');
    const passed = this.#count('passed');
    const ended = passed + this.failed;
    if (this.isRunning) return waiting === 0 ? 'Starting…' : `Running, ${waiting} to go`;
    if (ended === 0) return `${countText(this.rows.length, 'fixture')}, not run yet`;
    const left = this.rows.length - ended;
    return `${passed} of ${ended} passed${left === 0 ? '' : ` · ${left} not run`}`;
  });

  constructor(options: TestsViewOptions) {
    this.#options = options;
    const { file, source, clock } = options;
    this.#list = new Latest({
      clock,
      ask: (signal) => {
        const { client, workspace } = source();
        return client.tests.list({ workspace, file }, { signal });
      },
    });
  }

  /** Undefined until somebody wanted to see it. */
  get list(): FixtureList | undefined {
    return this.#list.answer;
  }

  /** Why there is no list, or why the fixtures were not tried. */
  get failure(): Failure | undefined {
    return this.#runFailure ?? this.#list.failure;
  }

  get isRunning(): boolean {
    return this.#running !== undefined;
  }

  ask(): Promise<void> {
    return this.#list.ask();
  }

  /** Reads the list again after a change on disk, if it has ever been looked at. */
  refresh(delayMs: number): void {
    if (this.list || this.#list.failure) this.#list.refresh(delayMs);
  }

  select(name: string): void {
    this.#selected = name;
  }

  /** Tries these fixtures, or all. */
  async run(names?: readonly string[]): Promise<void> {
    if (!this.canRun) return;
    const running = (this.#running = new AbortController());
    this.#runFailure = undefined;
    const { signal } = running;
    try {
      if (!(await this.#options.saveAll()) || signal.aborted) return;
      for (const name of names ?? this.rows.map(({ fixture }) => fixture.name)) {
        this.#attempts.set(name, { state: 'waiting' });
      }
      const { client, workspace } = this.#options.source();
      const { file } = this.#options;
      const request = { workspace, file, ...(names && { names: [...names] }) };
      for await (const event of await client.tests.run(request, { signal })) {
        if (signal.aborted) return;
        this.#heard(event);
        if (event.type === 'completed') break;
      }
    } catch (error) {
      if (!signal.aborted) this.#runFailure = toFailure(error);
    } finally {
      if (this.#running === running) this.#ended();
    }
  }

  /** Stops what is being tried; what has ended keeps its result. */
  cancel(): void {
    this.#running?.abort();
    this.#ended();
  }

  /** Writes a run down as a fixture and selects it; what went wrong is thrown. */
  async save(run: RunId, { skill, name }: FixtureWish): Promise<{ file: FileId; name: string }> {
    const { client, workspace } = this.#options.source();
    const wish = { ...(skill !== undefined && { skill }), ...(name.trim() !== '' && { name: name.trim() }) };
    const saved = await client.run.saveFixture({ workspace, run, ...wish });
    this.#selected = saved.name;
    void this.ask();
    return saved;
  }

  /** Adds a first fixture for a skill and selects it; undefined, with the failure told, where it could not. */
  async add(skill: string): Promise<{ file: FileId; name: string } | undefined> {
    this.#runFailure = undefined;
    try {
      if (!(await this.#options.saveAll())) return undefined;
      const { client, workspace } = this.#options.source();
      const added = await client.tests.add({ workspace, file: this.#options.file, skill });
      this.#selected = added.name;
      void this.ask();
      return added;
    } catch (error) {
      this.#runFailure = toFailure(error);
      return undefined;
    }
  }

  close(): void {
    this.cancel();
    this.#list.close();
  }

  #heard(event: TestEvent): void {
    if (event.type === 'started') this.#attempts.set(event.name, { state: 'running' });
    if (event.type === 'finished') {
      const { result } = event;
      this.#attempts.set(result.name, { state: result.state, result });
    }
  }

  /** Nothing is under way any more: what had begun is cancelled, what had not is as before. */
  #ended(): void {
    this.#running = undefined;
    for (const [name, { state }] of this.#attempts) {
      if (state === 'running') this.#attempts.set(name, { state: 'cancelled' });
      if (state === 'waiting') this.#attempts.delete(name);
    }
  }

  #count(wanted: TestState): number {
    return this.rows.filter(({ state }) => state === wanted).length;
  }
}
