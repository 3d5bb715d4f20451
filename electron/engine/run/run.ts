import { StudioError } from '#shared/errors.ts';
import type { Plan } from '#shared/model/plan.ts';
import type { RunId, RunRecord, RunStatus, StepRecord } from '#shared/model/run.ts';
import { contentOfSeen } from '#shared/seen-file.ts';
import type { KnownResult } from '../plan/planner.ts';
import { steadyMs } from '../store/steady-clock.ts';
import { divergencesOf } from './divergences.ts';
import type { Journal } from './journal.ts';
import { tellKept, type StandingLine } from './kept/standing-line.ts';
import { takeStanding } from './kept/standing-run.ts';
import { keysOf, type StandingSteps } from './kept/standing-steps.ts';
import { withOverride, type ToldOverride } from './override-verdict.ts';
import { clashesOf } from './proposals.ts';
import type { NewRunEvent } from './run-stream.ts';
import { workByReadiness } from './scheduler.ts';
import { isSuccess, pendingStep, summaryOf } from './step-record.ts';
import type { StepOutcome, StepParts } from './step-parts.ts';
import { StepWork } from './step-work.ts';
import { WaveView } from './wave-view.ts';

export interface RunOptions extends StepParts {
  /** The file of the lens. */
  readonly lens: string;
  readonly plan: Plan;
  /** Steps whose results count as they are, by index; with a step all that it needs stands. */
  readonly standing: StandingSteps;
  readonly journal: Journal;
  readonly concurrency: number;
  /** A name for this process that no later one has. */
  readonly mark: string;
  readonly resumes?: RunId | undefined;
}

/** One run from its start to its end: everything that changes while it goes on is in here, and goes with it. */
export class Run {
  readonly #options: RunOptions;
  readonly #items: readonly number[];
  readonly #steps = new Map<number, StepRecord>();
  readonly #known = new Map<number, KnownResult>();
  readonly #outputs = new Map<number, Readonly<Record<string, unknown>>>();
  readonly #waves: WaveView;
  readonly #warnings: string[] = [];
  /** One for each step that can be cancelled or was; all are aborted with the run. */
  readonly #stepCancels = new Map<number, AbortController>();
  readonly #working = new Map<number, Promise<StepOutcome>>();
  readonly #contents = new Map<string, Uint8Array>();
  readonly #baseline = new Map<string, string | null>();
  readonly #beganAt = steadyMs();
  #status: RunStatus = 'running';
  #durationMs = 0;
  #predictedVsActual: RunRecord['predictedVsActual'] = [];
  #artifactsApplied: readonly string[] = [];
  /** By a cancel of the whole run, or by the first failure where one is enough. */
  #isStopped = false;
  #isCancelled = false;

  constructor(options: RunOptions) {
    this.#options = options;
    const { plan, resolution } = options;
    this.#items = plan.decisions.map(({ id }) => resolution.graph.indexOf.get(id)!);
    plan.decisions.forEach((planned, i) => this.#steps.set(this.#items[i]!, pendingStep(planned)));
    this.#waves = new WaveView(plan, options.concurrency);
  }

  record(): RunRecord {
    const { runId, lens, plan, request, startedAt, resumes, stream } = this.#options;
    const isOver = this.#status !== 'running';
    return {
      runId,
      lens,
      lensName: plan.lensName,
      status: this.#status,
      startedAt: startedAt.getTime(),
      durationMs: isOver ? this.#durationMs : steadyMs() - this.#beganAt,
      request,
      plan,
      steps: [...this.#steps.values()],
      predictedVsActual: this.#predictedVsActual,
      artifactsApplied: [...this.#artifactsApplied],
      warnings: [...this.#warnings],
      ...(resumes !== undefined && { resumes }),
      seq: stream.seq,
    };
  }

  /** Tells the user something that belongs to no step; the same thing once. */
  warn(message: string): void {
    if (this.#warnings.includes(message)) return;
    this.#warnings.push(message);
    this.#options.stream.emit({ type: 'run_warning', message });
  }

  /** Ends one step, or everything, and waits until the processes are gone. */
  async cancel(skill?: string): Promise<void> {
    if (this.#status !== 'running') return;
    if (skill === undefined) {
      this.#isCancelled = true;
      this.#stopAll();
      await Promise.all(this.#working.values());
      return;
    }
    const found = [...this.#steps].find(([, step]) => step.skill === skill || step.id === skill);
    if (!found) throw new StudioError('graph.unknown-skill', `Cannot find "${skill}" in this run`, { skill });
    const [index] = found;
    this.#stepCancel(index).abort();
    await this.#working.get(index);
  }

  /** Bytes that a step of this run proposes. */
  content(contentHash: string): Uint8Array | undefined {
    return this.#contents.get(contentHash);
  }

  /** Remembers what a person said about a verdict. */
  noteOverride(told: ToldOverride): void {
    for (const [index, step] of this.#steps) {
      if (step.skill === told.skill_name) this.#steps.set(index, withOverride(step, told));
    }
  }

  /** Remembers what was written into the workspace: from now on this is what the run saw there. */
  noteApplied(applied: ReadonlyMap<string, string | null>): void {
    for (const [path, digest] of applied) this.#baseline.set(path, digest);
    this.#artifactsApplied = [...new Set([...this.#artifactsApplied, ...applied.keys()])];
  }

  /** What the workspace had at the paths that steps propose to change; null for no file. */
  get baseline(): ReadonlyMap<string, string | null> {
    return this.#baseline;
  }

  /** Works through the plan; whatever goes wrong is in the record. */
  async run(): Promise<RunRecord> {
    const { resolution, files, concurrency, journal, cache } = this.#options;
    const { dependencyStart, dependencies } = resolution.graph;
    this.#begin();
    try {
      await workByReadiness({
        items: this.#items.filter((item) => this.#steps.get(item)!.state === 'pending'),
        // In or behind a circle nothing comes first, and nothing is waited for: each ends by what the plan says of it.
        dependenciesOf: (item) =>
          this.#isPlaced(item) ? dependencies.subarray(dependencyStart[item], dependencyStart[item + 1]) : [],
        concurrency,
        work: (item) => this.#work(item),
      });
    } finally {
      files[Symbol.dispose]();
    }
    await cache.settled();
    this.#finish();
    await journal.close();
    return this.record();
  }

  #begin(): void {
    const { journal, stream, lens, plan, resumes, runId, request, startedAt, mark } = this.#options;
    journal.append({
      run: {
        runId,
        lens,
        lensName: plan.lensName,
        startedAt: startedAt.getTime(),
        request,
        ...(resumes !== undefined && { resumes }),
        mark,
      },
    });
    stream.emit({
      type: 'run_start',
      lens,
      lens_name: plan.lensName,
      ...(resumes !== undefined && { resumes }),
    });
    stream.emit({
      type: 'skill_graph_resolved',
      lens_name: plan.lensName,
      skill_count: plan.decisions.length,
      wave_count: this.#waves.total,
      content_hash: plan.contentHash,
    });
    const standing = this.#takeStanding();
    journal.append(standing ? { standing } : { plan });
    journal.write();
  }

  #isPlaced(index: number): boolean {
    return this.#steps.get(index)!.wave >= 0;
  }

  /** Ends at once what needs no second look; nothing where the run was cancelled before it began. */
  #takeStanding(): StandingLine | undefined {
    const { stream, standing } = this.#options;
    if (standing.size === 0 || this.#isStopped) return undefined;
    const { line, outcomes } = takeStanding(this.#options, this.#items);
    tellKept(line.steps, this.#waves, (event) => stream.emitKept(event, line.at));
    for (const [index, outcome] of outcomes) this.#note(index, outcome);
    return line;
  }

  #tell(events: readonly NewRunEvent[]): void {
    for (const event of events) this.#options.stream.emit(event);
  }

  async #work(index: number): Promise<void> {
    const step = this.#steps.get(index)!;
    this.#tell(this.#waves.start(step));
    const prevented = this.#prevented(index, step);
    if (prevented) {
      this.#take(index, { step: prevented });
      return;
    }
    this.#steps.set(index, { ...step, state: 'running', startedAt: Date.now() });
    const signal = (): AbortSignal => this.#stepCancel(index).signal;
    const turn = { index, step, known: this.#known, outputs: this.#outputs, signal };
    const working = new StepWork(this.#options, turn).run();
    this.#working.set(index, working);
    this.#take(index, await working);
    this.#working.delete(index);
  }

  #stepCancel(index: number): AbortController {
    const known = this.#stepCancels.get(index);
    if (known) return known;
    const cancel = new AbortController();
    if (this.#isStopped) cancel.abort();
    this.#stepCancels.set(index, cancel);
    return cancel;
  }

  #stopAll(): void {
    this.#isStopped = true;
    for (const cancel of this.#stepCancels.values()) cancel.abort();
  }

  /** How a step ends whose turn never comes: what it needs did not come, or it was cancelled before. */
  #prevented(index: number, step: StepRecord): StepRecord | undefined {
    const { resolution, stream } = this.#options;
    const { dependencyStart, dependencies } = resolution.graph;
    const end = this.#isPlaced(index) ? dependencyStart[index + 1] : dependencyStart[index];
    for (const needed of dependencies.subarray(dependencyStart[index], end)) {
      const before = this.#steps.get(needed);
      const isWaitedFor = before !== undefined && !this.#known.has(needed);
      if (!isWaitedFor || (this.#isStopped && before.state === 'cancelled')) continue;
      const blockedBy = before.blockedBy ?? before.skill;
      const message = `"${step.skill}" needs "${blockedBy}", which did not succeed`;
      stream.emit({ type: 'skill_blocked', skill_name: step.skill, blocked_by: blockedBy, message });
      return { ...step, state: 'blocked', decision: 'blocked', blockedBy };
    }
    const isCancelled = this.#isStopped || this.#stepCancels.get(index)?.signal.aborted;
    return isCancelled ? { ...step, state: 'cancelled' } : undefined;
  }

  #note(index: number, { step, known, outputs }: StepOutcome): void {
    this.#steps.set(index, step);
    if (known) this.#known.set(index, known);
    if (outputs) this.#outputs.set(index, outputs);
  }

  #take(index: number, outcome: StepOutcome): void {
    const { stream, journal, files, request, resolution } = this.#options;
    const { step, contents } = outcome;
    this.#note(index, outcome);
    stream.emit({
      type: 'skill_execute_complete',
      skill_name: step.skill,
      duration_ms: step.durationMs,
      produces: keysOf(resolution.skills[index]!),
      cached: step.cached,
      success: isSuccess(step),
      state: step.state,
      ...(step.error && { error: step.error }),
    });
    for (const [hash, content] of contents ?? []) {
      this.#contents.set(hash, content);
      journal.keep(hash, content, { isFlushed: !step.cached });
    }
    for (const { path } of step.artifacts) {
      const seen = files.files.get(path);
      this.#baseline.set(path, seen === undefined ? null : contentOfSeen(seen));
    }
    journal.append({ step: journaledStep(step), ...this.#seenBy(step) });
    this.#tell(this.#waves.end(step));
    if (step.attempts > 0) journal.commit();
    if (request.failFast && (step.state === 'failed' || step.state === 'judged-failed')) this.#stopAll();
  }

  /** What was at the paths that a step proposes to change, for the day when they are applied. */
  #seenBy({ artifacts }: StepRecord): { baseline?: Record<string, string | null> } {
    if (artifacts.length === 0) return {};
    return { baseline: Object.fromEntries(artifacts.map(({ path }) => [path, this.#baseline.get(path)!])) };
  }

  #finish(): void {
    const { plan, journal, stream, cache } = this.#options;
    const steps = [...this.#steps.values()];
    cache.flush();
    const problem = cache.takeWarning();
    if (problem !== undefined) this.warn(problem);
    for (const { path, first, last } of clashesOf(steps)) {
      this.warn(`"${first}" and "${last}" both propose "${path}": what "${last}" proposes counts`);
    }
    this.#predictedVsActual = divergencesOf(plan, steps);
    for (const { sentence } of this.#predictedVsActual) this.warn(sentence);
    this.#durationMs = steadyMs() - this.#beganAt;
    this.#status = this.#isCancelled ? 'cancelled' : steps.every(isSuccess) ? 'succeeded' : 'failed';
    const { status, durationMs, ran, cached, failed, blocked, savedMs, diverged } = summaryOf(this.record());
    stream.emit({
      type: 'run_complete',
      status,
      duration_ms: durationMs,
      ran,
      cached,
      failed,
      blocked,
      saved_ms: savedMs,
      diverged,
    });
    journal.append({
      end: {
        status,
        durationMs,
        predictedVsActual: this.#predictedVsActual,
        warnings: this.#warnings,
      },
    });
  }
}

/** What the cache has under the step's key is not written a second time. */
function journaledStep(step: StepRecord): StepRecord {
  if (!step.cached) return step;
  const { content: _content, outputs: _outputs, ...rest } = step;
  return rest;
}
