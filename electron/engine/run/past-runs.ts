import type { RunEvent } from '#shared/model/event.ts';
import type {
  AcceptedFile,
  ReviewFile,
  RunComparison,
  RunId,
  RunRecord,
  StepRecord,
} from '#shared/model/run.ts';
import { StudioError } from '#shared/errors.ts';
import type { ActionCache } from '../cache/action-cache.ts';
import type { Log } from '../store/log.ts';
import type { ActiveRun } from './active-run.ts';
import { compareRuns } from './compare-runs.ts';
import { exportHtml } from './export-html.ts';
import type { JournalLine } from './journal-line.ts';
import { Journal } from './journal.ts';
import {
  findVerdict,
  overridden,
  overrideFrom,
  type OverrideRequest,
  type ToldOverride,
} from './override-verdict.ts';
import { applyRun, keptContent, reviewRun, type ReviewedRun } from './review-run.ts';
import type { RunHistory } from './run-history.ts';
import type { NewRunEvent } from './run-stream.ts';
import { workspaceKey } from './workspace-key.ts';

export interface PastRunsOptions {
  readonly root: string;
  readonly cache: ActionCache;
  readonly history: RunHistory;
  readonly log: Log;
  /** Runs that this process knows better than their journals. */
  readonly active: ReadonlyMap<RunId, ActiveRun>;
}

/** Runs as they are looked at: from memory while they go on, from their journals afterwards. */
export class PastRuns {
  readonly #options: PastRunsOptions;

  constructor(options: PastRunsOptions) {
    this.#options = options;
  }

  async show(run: RunId): Promise<RunRecord> {
    const record = await this.record(run);
    return this.#options.active.has(run) ? record : this.#withResults(record);
  }

  /** The same without what steps took from the cache, which has to be read. */
  async record(run: RunId): Promise<RunRecord> {
    return this.#options.active.get(run)?.record() ?? (await this.#options.history.read(run)).record;
  }

  async *events(run: RunId, after: number, signal?: AbortSignal): AsyncGenerator<RunEvent, void> {
    const active = this.#options.active.get(run);
    if (active) {
      yield* active.events(after, signal);
      return;
    }
    const { events, record } = await this.#options.history.read(run);
    if (after > record.seq || record.status === 'running') {
      // Another process runs it, or the number is from elsewhere: its events do not come here.
      yield { type: 'snapshot_needed', seq: record.seq, at: Date.now(), run_id: run };
      return;
    }
    for (const event of events) if (event.seq > after && !signal?.aborted) yield event;
  }

  async log(run: RunId, skill: string): Promise<string> {
    const record = await this.show(run);
    const step = record.steps.find((other) => other.skill === skill || other.id === skill);
    if (!step) {
      throw new StudioError('graph.unknown-skill', `Cannot find "${skill}" in run "${run}"`, { skill });
    }
    return this.#logOf(step, await this.#printed(run));
  }

  async compare(a: RunId, b: RunId): Promise<RunComparison> {
    const { cache } = this.#options;
    return compareRuns(await this.show(a), await this.show(b), (key) => {
      const entry = cache.show(key);
      return (
        entry?.fingerprint && { fingerprint: entry.fingerprint, files: new Map(Object.entries(entry.files)) }
      );
    });
  }

  async review(run: RunId): Promise<ReviewFile[]> {
    return reviewRun(await this.#reviewed(run));
  }

  async apply(run: RunId, files: readonly AcceptedFile[]): Promise<ReviewFile[]> {
    const applied = await applyRun(await this.#reviewed(run), files);
    if (applied.size > 0) await this.#noteApplied(run, applied);
    return this.review(run);
  }

  async override(run: RunId, request: OverrideRequest): Promise<RunRecord> {
    const { root, cache, active } = this.#options;
    const record = await this.show(run);
    if (record.status === 'running') throw stillRunning('override a verdict of', run);
    const { step, verdict } = findVerdict(record, request);
    const override = overrideFrom(request, Date.now());
    const told: ToldOverride = { skill_name: step.skill, judge: verdict.judge, override };
    const own = active.get(run);
    if (own) own.noteOverride(told);
    else if (!(await this.#append(run, { type: 'verdict_overridden', ...told }))) {
      throw new StudioError('file.unwritable', `Cannot write your verdict into the journal of run "${run}"`, {
        run,
      });
    }
    // Later plans and runs ask by this key, and take the person's word.
    const { key, ...said } = overridden(verdict, override);
    if (key !== undefined) {
      const place = { workspace: workspaceKey(root), skillId: step.id, runId: run };
      cache.putJudgment({ key, verdicts: [said], ...place });
    }
    return this.show(run);
  }

  async exportHtml(
    run: RunId,
    environment: Readonly<Record<string, string | undefined>>,
  ): Promise<{ name: string; html: string }> {
    const record = await this.show(run);
    const printed = await this.#printed(run);
    const html = exportHtml(record, { logOf: (step) => this.#logOf(step, printed), environment });
    return { name: `run-${run}.html`, html };
  }

  async #reviewed(run: RunId): Promise<ReviewedRun> {
    const { root, history, cache, active } = this.#options;
    const own = active.get(run);
    const { record, baseline } = own
      ? { record: own.record(), baseline: own.baseline }
      : await history.read(run);
    if (record.status === 'running') throw stillRunning('show or write the files of', run);
    const contentOf = async (hash: string): Promise<Uint8Array | undefined> =>
      own?.content(hash) ?? (await keptContent(history.folderOf(run), hash)) ?? cache.artifact(hash);
    return { root, record, baseline, contentOf, history: history.folder };
  }

  async #noteApplied(run: RunId, applied: ReadonlyMap<string, string | null>): Promise<void> {
    const own = this.#options.active.get(run);
    if (own) own.noteApplied(applied);
    else {
      // The files are written: that nobody can write it down must not look as if they were not.
      const paths = [...applied.keys()];
      await this.#append(run, { type: 'artifacts_applied', paths }, { applied: Object.fromEntries(applied) });
    }
  }

  /** Writes down what happened to a run after its end; false where that cannot be done. */
  async #append(run: RunId, event: NewRunEvent, ...lines: readonly JournalLine[]): Promise<boolean> {
    const { history, log } = this.#options;
    const { record } = await history.read(run);
    const journal = new Journal(history.folderOf(run), (problem) => void log.report(problem));
    journal.append({ event: { ...event, seq: record.seq + 1, at: Date.now(), run_id: run } });
    for (const line of lines) journal.append(line);
    journal.commit();
    await journal.close();
    return journal.isWhole;
  }

  /** What steps printed, by skill. */
  async #printed(run: RunId): Promise<(skill: string) => string> {
    const own = this.#options.active.get(run);
    if (own) return (skill) => own.printed(skill);
    const texts = new Map<string, string>();
    for (const event of (await this.#options.history.read(run)).events) {
      if (event.type !== 'skill_output') continue;
      texts.set(event.skill_name, (texts.get(event.skill_name) ?? '') + event.chunk);
    }
    return (skill) => texts.get(skill) ?? '';
  }

  #logOf(step: StepRecord, printed: (skill: string) => string): string {
    const hit =
      step.cached && step.cacheKey !== undefined ? this.#options.cache.find(step.cacheKey) : undefined;
    return hit ? hit.result.logs.map(({ stderr, stdout }) => stderr + stdout).join('') : printed(step.skill);
  }

  /** What a step took from the cache is not in its journal a second time. */
  #withResults(record: RunRecord): RunRecord {
    const { cache } = this.#options;
    const steps = record.steps.map((step) => {
      const hit = step.cached && step.cacheKey !== undefined ? cache.find(step.cacheKey) : undefined;
      return hit ? { ...step, content: hit.result.content, outputs: { ...hit.result.outputs } } : step;
    });
    return { ...record, steps };
  }
}

/** `Cannot carry on run "…": it is not over yet; wait for its end, or end it where it runs`. */
export function stillRunning(what: string, run: RunId): StudioError {
  const message = `Cannot ${what} run "${run}": it is not over yet; wait for its end, or end it where it runs`;
  return new StudioError('run.still-running', message, { run });
}
