import { SvelteMap } from 'svelte/reactivity';
import type { RunEvent } from '#shared/model/event.ts';
import type { RunId, RunRecord, RunRequest, RunSummary, StepFailure, StepState } from '#shared/model/run.ts';
import type { JudgmentRule, Verdict, VerdictOverride } from '#shared/model/verdict.ts';
import type { FileId } from '#shared/model/workspace.ts';
import type { Clock } from './clock.ts';
import type { DocumentSource } from './document.svelte.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';
import { RunLog } from './run-log.svelte.ts';

/** One step as far as it is known while the run goes on. */
export interface LiveStep {
  readonly state: StepState;
  readonly startedAt?: number;
  readonly durationMs?: number;
  readonly savedMs?: number;
  readonly error?: StepFailure;
  readonly verdicts?: readonly Verdict[];
  readonly rule?: JudgmentRule;
  readonly attempt?: number;
}

/** What a run waits for a person to answer in place of a model. */
export interface OpenQuestion {
  readonly request: string;
  readonly skill: string;
  readonly prompt: string;
}

/** How often a run of another process is looked at. */
const elsewhereMs = 1000;
/** A run that goes on may have begun before others that are over. */
const recentRuns = 10;

export type RunPhase =
  | { readonly phase: 'none' }
  | { readonly phase: 'starting' }
  | { readonly phase: 'running' | 'ended'; readonly run: RunId };

interface RunViewOptions {
  readonly clock: Clock;
  readonly file: FileId;
  readonly source: () => DocumentSource;
  /** Told of every step that changed, and with no step when all did. */
  readonly stepChanged: (skill: string | undefined) => void;
  /** Told of a run that is over; it is news where it was watched, and none where it ended before anybody looked. */
  readonly ended: (record: RunRecord, isNews: boolean) => void;
}

/** The run of one open lens that the user watches: live, or one of the history. */
export class RunView {
  readonly #options: RunViewOptions;
  readonly steps = new SvelteMap<string, LiveStep>();
  readonly log = new RunLog();
  readonly #questions = new SvelteMap<string, OpenQuestion>();
  #phase = $state.raw<RunPhase>({ phase: 'none' });
  #record = $state.raw<RunRecord>();
  #failure = $state.raw<Failure>();
  #isCancelling = $state.raw(false);
  /** The last run that this view itself started. */
  #ownRun: RunId | undefined;
  #elsewhereRun = $state.raw<RunId>();
  #following = new AbortController();
  /** The last event of the run on screen that was taken into account: following it again goes on from there. */
  #seen = 0;

  constructor(options: RunViewOptions) {
    this.#options = options;
  }

  get phase(): RunPhase {
    return this.#phase;
  }

  /** The run as it was when the page last asked: at its start or after its end. */
  get record(): RunRecord | undefined {
    return this.#record;
  }

  get failure(): Failure | undefined {
    return this.#failure;
  }

  /** The question that has waited longest, if any. */
  get question(): OpenQuestion | undefined {
    return this.#questions.values().next().value;
  }

  get isRunning(): boolean {
    return this.#phase.phase === 'running' || this.#phase.phase === 'starting';
  }

  /** Whether another process runs it: it can be stopped only there, and what it prints is known when it is over. */
  get isElsewhere(): boolean {
    return this.#phase.phase === 'running' && this.#phase.run === this.#elsewhereRun;
  }

  get isCancelling(): boolean {
    return this.#isCancelling;
  }

  async start(request: RunRequest): Promise<void> {
    if (this.isRunning) return;
    this.#begin();
    try {
      const { client, workspace } = this.#options.source();
      const { run } = await client.run.start({ workspace, file: this.#options.file, request });
      this.#ownRun = run;
      await this.follow(run);
    } catch (error) {
      this.#failed(error);
    }
  }

  async resume(run: RunId): Promise<void> {
    if (this.isRunning) return;
    this.#begin();
    try {
      const { client, workspace } = this.#options.source();
      const resumed = await client.run.resume({ workspace, run });
      this.#ownRun = resumed.run;
      await this.follow(resumed.run);
    } catch (error) {
      this.#failed(error);
    }
  }

  /**
   * Shows a run, whatever became of it, with its events from the start, because only they have what was printed; the run on
   * screen goes on behind what is there already.
   */
  async follow(run: RunId): Promise<void> {
    const before = this.#phase;
    const isNews = before.phase === 'starting' || (before.phase === 'running' && before.run === run);
    this.close();
    const { signal } = (this.#following = new AbortController());
    try {
      const { client, workspace } = this.#options.source();
      const record = await client.run.show({ workspace, run }, { signal });
      if (signal.aborted) return;
      this.#take(record);
      const events = await client.run.events({ workspace, run, after: this.#seen }, { signal });
      if (signal.aborted) return;
      if (record.status !== 'running') {
        this.#options.ended(record, isNews);
        return void this.#readLog(events, signal);
      }
      for await (const event of events) {
        if (signal.aborted) return;
        if (event.type === 'snapshot_needed') return this.#lookAgain(run, signal);
        this.#seen = event.seq;
        this.apply(event);
        if (event.type === 'run_complete') break;
      }
      if (signal.aborted) return;
      const last = await client.run.show({ workspace, run }, { signal });
      if (signal.aborted) return;
      this.#take(last);
      this.#options.ended(last, true);
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  /** The run of this lens to show where this page started none: one that goes on, else the newest of the history. */
  async findRecent(): Promise<RunSummary | undefined> {
    try {
      const { client, workspace } = this.#options.source();
      const recent = await client.run.list({ workspace, lens: this.#options.file, limit: recentRuns });
      return recent.find(({ status }) => status === 'running') ?? recent[0];
    } catch (error) {
      this.#failed(error);
      return undefined;
    }
  }

  async cancel(skill?: string): Promise<void> {
    const { phase } = this;
    if (phase.phase !== 'running' || this.#isCancelling) return;
    this.#isCancelling = skill === undefined;
    this.#failure = undefined;
    try {
      const { client, workspace } = this.#options.source();
      await client.run.cancel({ workspace, run: phase.run, skill });
    } catch (error) {
      this.#failure = toFailure(error);
    } finally {
      this.#isCancelling = false;
    }
  }

  /** Takes one event into account. */
  apply(event: RunEvent): void {
    switch (event.type) {
      case 'skill_execute_start':
        return this.#set(event.skill_name, { state: 'running', startedAt: event.at });
      case 'skill_cache_hit':
        return this.#set(event.skill_name, { savedMs: event.saved_ms });
      case 'skill_output':
        return this.log.append({ skill: event.skill_name, stream: event.stream }, event.chunk, event.styles);
      case 'skill_tool':
        return this.log.append({ skill: event.skill_name, stream: 'model' }, toolLine(event));
      case 'answer_wanted': {
        const { request, skill_name: skill, prompt } = event;
        return void this.#questions.set(request, { request, skill, prompt });
      }
      case 'answer_given':
        return void this.#questions.delete(event.request);
      case 'skill_retry':
        return this.#set(event.skill_name, { attempt: event.attempt });
      case 'skill_refined':
        return this.#set(event.skill_name, { attempt: event.attempt });
      case 'skill_blocked':
        return this.#set(event.skill_name, { state: 'blocked' });
      case 'skill_judged':
        return this.#set(event.skill_name, {
          verdicts: event.verdicts,
          ...(event.rule && { rule: event.rule }),
        });
      case 'skill_execute_complete':
        return this.#set(event.skill_name, {
          state: event.state,
          durationMs: event.duration_ms,
          ...(event.error && { error: event.error }),
        });
      default:
        return;
    }
  }

  /** Answers for a model, or declines with null; what went wrong is thrown, and the question stays. */
  async answer(request: string, text: string | null): Promise<void> {
    const { phase } = this;
    if (phase.phase !== 'running') return;
    const { client, workspace } = this.#options.source();
    await client.run.answer({ workspace, run: phase.run, request, text });
    this.#questions.delete(request);
  }

  /** Puts the user's word in place of a judge's, or takes it back; what went wrong is thrown. */
  async override(
    skill: string,
    judge: string,
    said: Pick<VerdictOverride, 'outcome' | 'note'> | null,
  ): Promise<void> {
    const { phase } = this;
    if (phase.phase !== 'ended') return;
    const { client, workspace } = this.#options.source();
    const { outcome, note } = said ?? { outcome: null, note: '' };
    this.#take(await client.run.override({ workspace, run: phase.run, skill, judge, outcome, note }));
  }

  /** Forgets the run: the plan is what counts again. */
  dismiss(): void {
    if (this.isRunning) return;
    this.#phase = { phase: 'none' };
    this.#record = undefined;
    this.steps.clear();
    this.#options.stepChanged(undefined);
  }

  /** Replaces the record, as after files of it were applied. */
  update(record: RunRecord): void {
    if (this.#record?.runId === record.runId) this.#record = record;
  }

  close(): void {
    this.#following.abort();
  }

  /** A run that is only on its way onto the screen must not come in between. */
  #begin(): void {
    this.close();
    this.#phase = { phase: 'starting' };
    this.#failure = undefined;
  }

  /** Another process runs it: its events do not come here, and its journal is looked at now and then. */
  #lookAgain(run: RunId, signal: AbortSignal): void {
    // One of our own whose events were too many to be kept is none of another process.
    if (run !== this.#ownRun) this.#elsewhereRun = run;
    this.#options.clock.after(elsewhereMs, () => {
      if (!signal.aborted) void this.follow(run);
    });
  }

  /** What an earlier run printed; a run without it is still worth looking at. */
  async #readLog(events: AsyncIterable<RunEvent>, signal: AbortSignal): Promise<void> {
    try {
      for await (const event of events) {
        if (signal.aborted) return;
        if (event.type !== 'snapshot_needed') this.#seen = event.seq;
        if (event.type === 'skill_output' || event.type === 'skill_tool') this.apply(event);
      }
    } catch (error) {
      if (!signal.aborted) this.#failed(error);
    }
  }

  #set(skill: string, change: Partial<LiveStep>): void {
    this.steps.set(skill, { ...(this.steps.get(skill) ?? { state: 'pending' }), ...change });
    this.#options.stepChanged(skill);
  }

  #take(record: RunRecord): void {
    const isOther = this.#record?.runId !== record.runId;
    this.#record = record;
    // Why something before could not be done is no longer what counts.
    if (isOther || record.status !== 'running') this.#failure = undefined;
    const run = record.runId;
    this.#phase = { phase: record.status === 'running' ? 'running' : 'ended', run };
    // Nobody waits for an answer any more.
    if (isOther || record.status !== 'running') this.#questions.clear();
    if (isOther) {
      this.#seen = 0;
      this.steps.clear();
      this.log.clear();
    }
    for (const step of record.steps) this.steps.set(step.skill, liveStep(step, this.steps.get(step.skill)));
    this.#options.stepChanged(undefined);
  }

  #failed(error: unknown): void {
    const failure = toFailure(error);
    // The page says so itself, and the run is followed again once the engine is back.
    if (failure.code !== 'disconnected') this.#failure = failure;
    if (this.#phase.phase === 'starting') this.#phase = { phase: 'none' };
  }
}

function liveStep(step: RunRecord['steps'][number], known: LiveStep | undefined): LiveStep {
  const { state, startedAt, durationMs, savedMs, error, verdicts, rule } = step;
  const isDone = state !== 'pending' && state !== 'running';
  return {
    ...known,
    state,
    verdicts,
    ...(rule && { rule }),
    ...(startedAt !== undefined && { startedAt }),
    ...(isDone && { durationMs }),
    ...(savedMs !== undefined && { savedMs }),
    ...(error && { error }),
  };
}

/** A call of a tool as a line among what the model writes. */
function toolLine({ tool, input, ok, message }: Extract<RunEvent, { type: 'skill_tool' }>): string {
  return `\n→ ${tool} ${input}${ok ? '' : `: ${message ?? 'refused'}`}\n`;
}
