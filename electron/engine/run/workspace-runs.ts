import { join } from 'node:path';
import { StudioError } from '#shared/errors.ts';
import type { RunEvent } from '#shared/model/event.ts';
import type { Plan, PlanRequest, PlanStep, Reason, ReasonDifference } from '#shared/model/plan.ts';
import type { PromptPreview } from '#shared/model/prompt.ts';
import type {
  AcceptedFile,
  ReviewFile,
  RunComparison,
  RunId,
  RunRecord,
  RunRequest,
  RunSummary,
} from '#shared/model/run.ts';
import type { ActionCache } from '../cache/action-cache.ts';
import type { AskHow } from '../models/asked-model.ts';
import type { AskableModels } from '../models/late-models.ts';
import { judgedBy } from '../plan/judged-by.ts';
import { refuseGaps } from '../plan/lens-gaps.ts';
import { hasInstructions } from '../prompt/offered-skills.ts';
import type { Resolution } from '../resolve/resolve.ts';
import type { WorkspaceResolver } from '../resolve/workspace-resolver.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { usualConcurrency } from '../sandbox/usual-concurrency.ts';
import type { Log } from '../store/log.ts';
import { ownMark } from '../store/process-mark.ts';
import type { GrantStore } from '../trust/grant-store.ts';
import { ActiveRun } from './active-run.ts';
import { takeBackKilled } from './apply/take-back-killed.ts';
import type { Looked, PlanKeeper } from './kept/plan-keeper.ts';
import { carriedOn } from './carried-on.ts';
import { PastRuns, stillRunning } from './past-runs.ts';
import { lastSteps, type KnownRuns } from './last-steps.ts';
import { AnswerDesk } from './model/answer-desk.ts';
import { RunModels } from './model/run-models.ts';
import { TokenBudget } from './model/token-budget.ts';
import { Plans, type Prepared } from './plans.ts';
import { RunHistory, type ListOptions } from './run-history.ts';
import { newRunId } from './run-id.ts';
import { Journal } from './journal.ts';
import type { OverrideRequest } from './override-verdict.ts';
import { RetryPolicy } from './retry.ts';
import { Run } from './run.ts';
import { RunFiles } from './run-files.ts';
import { RunStream } from './run-stream.ts';
import { summaryOf } from './step-record.ts';
import { workspaceKey } from './workspace-key.ts';

export interface WorkspaceRunsOptions {
  readonly root: string;
  /** The user's folder: history goes below it. */
  readonly home: string;
  readonly sandbox: Sandbox;
  readonly cache: ActionCache;
  /** Resolves a file of the workspace; quick where nothing changed since the last time. */
  readonly resolve: WorkspaceResolver['resolve'];
  readonly grants: GrantStore;
  readonly log: Log;
  /** The user's models; without them nothing is asked of any. */
  readonly models?: AskableModels | undefined;
  /** How models are asked in all plans and runs; a run may say otherwise. */
  readonly how?: AskHow | undefined;
  /** Keeps plans for later processes; without it none is. */
  readonly keeper?: PlanKeeper | undefined;
  /** Told when a run begins here and when it is over, also where its history cannot be written. */
  readonly changed?: (() => void) | undefined;
  /** Told in a sentence what was found half written by a process that was killed, and taken back. */
  readonly tell?: ((sentence: string) => void) | undefined;
}

/** A file of the workspace, or what it was already resolved to. */
export type RunTarget = string | Resolution;

export interface StartOptions {
  /** Cancels the run. */
  readonly signal?: AbortSignal | undefined;
  /** Told of every event at once, before anybody who follows the stream. */
  readonly onEvent?: ((event: RunEvent) => void) | undefined;
  readonly resumes?: RunId | undefined;
  readonly how?: AskHow | undefined;
}

/** Plans, runs and past runs of one workspace; kept for as long as it is open. */
export class WorkspaceRuns implements AsyncDisposable {
  readonly #options: WorkspaceRunsOptions;
  readonly #workspace: string;
  readonly #history: RunHistory;
  readonly #past: PastRuns;
  readonly #plans: Plans;
  /** Runs that go on, and those whose journal could not be written, which nobody else knows. */
  readonly #active = new Map<RunId, ActiveRun>();
  readonly #tidying = new Set<Promise<void>>();
  #lastStart = 0;

  constructor(options: WorkspaceRunsOptions) {
    this.#options = options;
    const { root, home, log, cache } = options;
    this.#workspace = workspaceKey(root);
    this.#history = new RunHistory({ folder: join(home, 'runs', this.#workspace), log });
    this.#past = new PastRuns({ root, cache, log, history: this.#history, active: this.#active });
    const runs: KnownRuns = {
      list: (asked) => this.list(asked),
      record: (run) => this.#past.record(run),
    };
    this.#plans = new Plans({ ...options, lastSteps: (lens, skills) => lastSteps(runs, lens, skills) });
  }

  /** What a run would do now, and why; runs nothing. Unsaved texts stand in for their files. */
  async plan(target: RunTarget, request: PlanRequest, unsaved?: ReadonlyMap<string, string>): Promise<Plan> {
    const resolution = await this.#resolve(target, request, unsaved);
    return this.#plans.plan(resolution, request, this.#options.how);
  }

  /** Both sides of one reason of a plan as text; values given with the request are among them only where it is. */
  async difference(
    target: RunTarget,
    skill: string,
    reason: Reason,
    request: PlanRequest = {},
  ): Promise<ReasonDifference> {
    const resolution = await this.#resolve(target, request);
    const { planner } = await this.#plans.prepare(resolution, request, new Date(), this.#options.how);
    return planner.difference(skill, reason);
  }

  /** What a model would be sent for one skill now; asks nobody. */
  async previewPrompt(
    target: RunTarget,
    skill: string,
    request: PlanRequest,
    unsaved?: ReadonlyMap<string, string>,
  ): Promise<PromptPreview> {
    const resolution = await this.#resolve(target, request, unsaved);
    const now = new Date();
    const { planner, model } = await this.#plans.prepare(resolution, request, now, this.#options.how);
    const { previewPrompt } = await import('./model/preview-prompt.ts');
    const { sandbox } = this.#options;
    return previewPrompt({ resolution, planner, sandbox, request, model, skill, now });
  }

  /** Starts a run of what is on disk; refuses where something must run and scripts cannot. */
  async start(target: RunTarget, request: RunRequest, options: StartOptions = {}): Promise<ActiveRun> {
    const { signal, onEvent, resumes, how = this.#options.how } = options;
    signal?.throwIfAborted();
    await this.#takeBackKilled();
    // Two runs within a millisecond would not sort by their start.
    const startedAt = new Date((this.#lastStart = Math.max(Date.now(), this.#lastStart + 1)));
    const resolution = await this.#resolve(target, request);
    const prepared = await this.#plans.prepareStanding(resolution, request, startedAt, how);
    const { planner, files, makePlanner, standing, looked } = prepared;
    const plan = planner.plan();
    // No step is there to be blocked by it, and a run of nothing succeeds.
    if (plan.decisions.length === 0 && resolution.lens) refuseGaps(resolution.lens, 'run');
    if (plan.decisions.some((step) => needsSandbox(step, resolution))) await this.#requireSandbox();

    const { root, sandbox, cache, grants, log } = this.#options;
    const runId = newRunId(startedAt.getTime());
    const journal = new Journal(this.#history.folderOf(runId), (problem) =>
      run.warn(`Cannot keep the history of this run: ${problem}`),
    );
    const stream = new RunStream({ runId, journal, onEvent });
    const answers = new AnswerDesk(stream);
    const budget = new TokenBudget(request.tokenBudget);
    const asked = this.#askedModels(prepared, budget, {
      ...how,
      askPerson: (question) => answers.ask(question),
    });
    const takeSnapshot = () => sandbox.snapshot(root);
    const seen = new RunFiles({ files, makePlanner, takeSnapshot }, planner);
    const run = new Run({
      runId,
      lens: resolution.source.file,
      plan,
      standing,
      resolution,
      request,
      startedAt,
      workspace: this.#workspace,
      files: seen,
      cache,
      sandbox,
      grants,
      log,
      budget,
      model: await asked?.worker(),
      judgeModel: await asked?.judge(),
      warn: (message) => run.warn(message),
      stream,
      journal,
      retry: new RetryPolicy(resolution.lens?.skillRetry),
      concurrency: request.concurrency ?? usualConcurrency(),
      mark: ownMark(),
      resumes,
    });
    const active = new ActiveRun({
      runId,
      run,
      stream,
      answers,
      done: this.#follow({ run, journal, stream }, signal).then((record) => {
        // What steps did with other files than those of the plan is not what the next plan would find.
        if (looked && seen.planner === planner) this.#keep(looked, files, record);
        return record;
      }),
    });
    this.#active.set(runId, active);
    return active;
  }

  /** Carries on a run that did not succeed: the same steps, and what was finished comes from the cache. */
  async resume(
    run: RunId,
    options: Omit<StartOptions, 'resumes'> & { target?: RunTarget } = {},
  ): Promise<ActiveRun> {
    const record = await this.#past.record(run);
    const { lens, request, status } = record;
    if (status === 'running') throw stillRunning('carry on', run);
    if (status === 'succeeded') {
      throw new StudioError('run.nothing-to-resume', `Cannot carry on run "${run}": it succeeded`, { run });
    }
    const { target = lens, ...others } = options;
    const resolution = await this.#resolve(target, request);
    return this.start(resolution, carriedOn(record, resolution.graph), { ...others, resumes: run });
  }

  /** Ends one step of a run or all of it; returns when every process of it is gone. */
  async cancel(run: RunId, skill?: string): Promise<RunRecord> {
    const active = this.#active.get(run);
    if (active) return active.cancel(skill);
    const record = await this.show(run);
    if (record.status !== 'running') return record;
    throw new StudioError('run.elsewhere', `Cannot cancel run "${run}": another process runs it`, { run });
  }

  /** Answers a question that a run asks a person, or declines with null. */
  answer(run: RunId, request: string, text: string | null): void {
    const active = this.#active.get(run);
    if (!active)
      throw new StudioError('run.not-asked', `Cannot answer: run "${run}" does not go on here`, { run });
    active.answer(request, text);
  }

  show(run: RunId): Promise<RunRecord> {
    return this.#past.show(run);
  }

  /** Newest first; of what this process runs as it stands now. */
  async list(options: ListOptions): Promise<RunSummary[]> {
    const { limit, before, lens } = options;
    const listed = new Map((await this.#history.list(options)).map((summary) => [summary.runId, summary]));
    for (const [runId, active] of this.#active) {
      const summary = summaryOf(active.record());
      const isMeant = lens === undefined || summary.lens === lens;
      if (isMeant && (before === undefined || runId < before)) listed.set(runId, summary);
    }
    return [...listed.values()].sort((a, b) => (a.runId < b.runId ? 1 : -1)).slice(0, limit);
  }

  /** Everything after the number, then what comes; of a finished run from its journal. */
  events(run: RunId, after: number, signal?: AbortSignal): AsyncGenerator<RunEvent, void> {
    return this.#past.events(run, after, signal);
  }

  /** Everything a step printed, as far as it was kept. */
  log(run: RunId, skill: string): Promise<string> {
    return this.#past.log(run, skill);
  }

  compare(a: RunId, b: RunId): Promise<RunComparison> {
    return this.#past.compare(a, b);
  }

  async review(run: RunId): Promise<ReviewFile[]> {
    await this.#takeBackKilled();
    return this.#past.review(run);
  }

  /** Writes accepted files, all or none, and remembers that in the run's journal. */
  async apply(run: RunId, files: readonly AcceptedFile[]): Promise<ReviewFile[]> {
    await this.#takeBackKilled();
    return this.#past.apply(run, files);
  }

  /** Puts a person's word in place of a judge's, or takes it back; what ran stays as it was, later plans count it. */
  override(run: RunId, request: OverrideRequest): Promise<RunRecord> {
    return this.#past.override(run, request);
  }

  exportHtml(
    run: RunId,
    environment: Readonly<Record<string, string | undefined>> = process.env,
  ): Promise<{ name: string; html: string }> {
    return this.#past.exportHtml(run, environment);
  }

  /** Cancels what still runs and waits for it. */
  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all([...this.#active.values()].map((run) => run.cancel()));
    await Promise.all([...this.#active.values()].map(({ done }) => done));
    await Promise.all(this.#tidying);
  }

  async #resolve(
    target: RunTarget,
    { judgedBy: judge }: PlanRequest,
    unsaved?: ReadonlyMap<string, string>,
  ): Promise<Resolution> {
    const { resolve } = this.#options;
    const resolution =
      typeof target === 'string' ? await resolve(target, unsaved ? { unsaved } : {}) : target;
    return judge === undefined || resolution.judgedBy
      ? resolution
      : judgedBy(resolution, await resolve(judge));
  }

  #askedModels({ model, judgeModel }: Prepared, budget: TokenBudget, how: AskHow): RunModels | undefined {
    const { models } = this.#options;
    return models && new RunModels({ models, how, budget, worker: model, judge: judgeModel });
  }

  /** Another process may have been killed while this workspace is open; taken back later it would undo what is written here. */
  async #takeBackKilled(): Promise<void> {
    const sentence = await takeBackKilled(this.#options);
    if (sentence !== undefined) this.#options.tell?.(sentence);
  }

  async #requireSandbox(): Promise<void> {
    const { sandbox } = this.#options;
    const { available, problem = 'it did not start' } = await sandbox.report();
    if (available) return void sandbox.prepare();
    throw new StudioError('sandbox.unavailable', `Cannot run scripts: ${problem}`, { problem });
  }

  async #follow(
    { run, journal, stream }: { run: Run; journal: Journal; stream: RunStream },
    signal: AbortSignal | undefined,
  ): Promise<RunRecord> {
    const { runId } = run.record();
    const cancel = (): void => void run.cancel();
    signal?.addEventListener('abort', cancel, { once: true });
    // Aborted while the plan was made: no event tells of that any more.
    if (signal?.aborted) cancel();
    this.#history.note({ summary: summaryOf(run.record()), mark: ownMark() });
    this.#options.changed?.();
    try {
      const record = await run.run();
      // A run that nobody could write down stays here for as long as the workspace is open.
      if (journal.isWhole) {
        this.#history.note({ summary: summaryOf(record), bytes: journal.bytes });
        this.#active.delete(runId);
        this.#tidy();
      }
      return record;
    } finally {
      signal?.removeEventListener('abort', cancel);
      stream.close();
      this.#options.changed?.();
    }
  }

  /** Keeps the plan that a run leaves behind, where the next one would skip everything and propose nothing. */
  #keep(looked: Looked, files: ReadonlyMap<string, string>, { steps }: RunRecord): void {
    const isKept = steps.every(
      ({ state, artifacts }) => (state === 'ran' || state === 'cached') && artifacts.length === 0,
    );
    if (isKept) this.#options.keeper?.keep(looked, files, steps, this.#options.cache);
  }

  #tidy(): void {
    const tidying = this.#history.tidy().finally(() => this.#tidying.delete(tidying));
    this.#tidying.add(tidying);
  }
}

/** Whether a step may start something: a model that only reads and writes can work without a sandbox. */
function needsSandbox({ decision, id }: PlanStep, { skills, graph }: Resolution): boolean {
  if (decision !== 'run' && decision !== 'undecided') return false;
  const node = skills[graph.indexOf.get(id)!]!;
  return node.scripts.length > 0 || !hasInstructions(node);
}
