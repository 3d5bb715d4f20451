import type { CacheStats } from '#shared/model/cache.ts';
import type { RunEvent } from '#shared/model/event.ts';
import type { Plan, PlanRequest, PlanStep } from '#shared/model/plan.ts';
import type {
  AcceptedFile,
  ReviewFile,
  RunId,
  RunRecord,
  RunSummary,
  StepRecord,
} from '#shared/model/run.ts';
import type { FakeTests } from './fake-tests.ts';

type Call = <Input, Output>(
  name: string,
  answer: (input: Input) => Output,
) => (input: Input) => Promise<Output>;
type Stream = (
  listeners: Set<(event: RunEvent) => void>,
  earlier: readonly RunEvent[],
) => AsyncGenerator<RunEvent, void>;
type WithoutBase<E> = E extends RunEvent ? Omit<E, 'seq' | 'at' | 'run_id'> : never;

export const digest = 'a'.repeat(64);

export function planStep(skill: string, change: Partial<PlanStep> = {}): PlanStep {
  const reasons = [{ id: 'no-entry' as const, subject: '', sentence: 'never ran here' }];
  return { skill, id: `a.lens:${skill}`, wave: 0, decision: 'run', reasons, ...change };
}

export function planOf(...decisions: PlanStep[]): Plan {
  const named = (decision: string): string[] =>
    decisions.filter((step) => step.decision === decision).map(({ skill }) => skill);
  const totals = { skipPercentage: 0, estimatedMs: 0, savedMs: 0 };
  return {
    ...{ lens: 'a.lens', lensName: 'A', contentHash: digest, decisions, ...totals },
    toExecute: named('run'),
    toSkip: named('skip'),
  };
}

export function stepRecord(skill: string, change: Partial<StepRecord> = {}): StepRecord {
  return {
    ...{ skill, id: `a.lens:${skill}`, wave: 0, decision: 'run', state: 'pending', cached: false },
    ...{ durationMs: 0, artifacts: [], verdicts: [], attempts: 0 },
    ...change,
  };
}

/** A run of the history. */
export function runSummary(runId: string, change: Partial<RunSummary> = {}): RunSummary {
  return {
    ...{ runId: runId as RunId, lens: 'a.lens', lensName: 'A', status: 'succeeded', startedAt: 0 },
    ...{ durationMs: 5, ran: 1, cached: 0, failed: 0, blocked: 0, cancelled: 0, savedMs: 0 },
    ...{ artifacts: 0, diverged: false },
    ...change,
  };
}

interface OverrideInput {
  readonly outcome: 'pass' | 'fail' | null;
  readonly note: string;
}

/** The engine's plans, runs and cache with answers that a test decides. */
export class FakeRuns {
  plan = planOf(planStep('one'));
  readonly requests: PlanRequest[] = [];
  record: RunRecord = {
    ...{ runId: 'run-00000001' as RunId, lens: 'a.lens', lensName: 'A', status: 'running', startedAt: 0 },
    ...{ durationMs: 0, request: {}, plan: this.plan, steps: [stepRecord('one')], predictedVsActual: [] },
    ...{ artifactsApplied: [], warnings: [], seq: 0 },
  };
  review: ReviewFile[] = [];
  /** What people answered in place of a model. */
  readonly answered: (string | null)[] = [];
  readonly accepted: AcceptedFile[] = [];
  summaries: RunSummary[] = [];
  stats: CacheStats = {
    ...{ entries: 0, bytes: 0, maxBytes: 1, hits: 0, misses: 0, hitRate: 0, savedMs: 0, days: [] },
  };
  /** Other runs than `record`, as they are kept. */
  readonly past = new Map<string, RunRecord>();
  readonly #streams = new Map<string, Set<(event: RunEvent) => void>>();
  readonly #told: RunEvent[] = [];

  tell(event: WithoutBase<RunEvent>): void {
    const seq = this.#told.length + 1;
    const whole = { ...event, seq, at: seq, run_id: this.record.runId };
    this.#told.push(whole);
    for (const send of this.#streamsOf(this.record.runId)) send(whole);
  }

  #streamsOf(run: RunId): Set<(event: RunEvent) => void> {
    const streams = this.#streams.get(run) ?? new Set();
    this.#streams.set(run, streams);
    return streams;
  }

  answers(call: Call, stream: Stream, tests: FakeTests): object {
    return {
      plan: {
        make: call('plan.make', ({ request }: { request: PlanRequest }) => {
          this.requests.push(request);
          return this.plan;
        }),
        difference: call('plan.difference', () => ({ before: 'a', after: 'b', language: 'python' })),
      },
      run: {
        start: call('run.start', ({ request }: { request: PlanRequest }) => {
          this.requests.push(request);
          return { run: this.record.runId };
        }),
        resume: call('run.resume', () => ({ run: this.record.runId })),
        cancel: call('run.cancel', () => this.record),
        answer: call('run.answer', ({ text }: { text: string | null }) => {
          this.answered.push(text);
          return null;
        }),
        show: call('run.show', ({ run }: { run: RunId }) => this.past.get(run) ?? this.record),
        events: call('run.events', ({ run, after }: { run: RunId; after: number }) =>
          stream(
            this.#streamsOf(run),
            this.#told.filter(({ run_id, seq }) => run_id === run && seq > after),
          ),
        ),
        list: call('run.list', ({ lens, limit }: { lens?: string; limit: number }) =>
          this.summaries.filter((summary) => lens === undefined || summary.lens === lens).slice(0, limit),
        ),
        compare: call('run.compare', ({ a, b }: { a: RunId; b: RunId }) => ({
          a: this.summaries.find(({ runId }) => runId === a),
          b: this.summaries.find(({ runId }) => runId === b),
          steps: [],
        })),
        saveFixture: call('run.saveFixture', (wish: Parameters<FakeTests['save']>[0]) => tests.save(wish)),
        log: call('run.log', () => ({ text: '' })),
        override: call('run.override', (said: OverrideInput) => {
          const { outcome, note } = said;
          const override = outcome === null ? undefined : { outcome, note, at: 1 };
          const steps = this.record.steps.map((step) => ({
            ...step,
            verdicts: step.verdicts.map((verdict) => ({ ...verdict, override })),
          }));
          return (this.record = { ...this.record, steps });
        }),
        review: call('run.review', () => this.review),
        apply: call('run.apply', ({ files }: { files: AcceptedFile[] }) => {
          this.accepted.push(...files);
          const paths = new Set(files.map(({ path }) => path));
          this.review = this.review.map((file) => ({ ...file, isApplied: paths.has(file.path) }));
          return this.review;
        }),
      },
      cache: {
        stats: call('cache.stats', () => this.stats),
        list: call('cache.list', () => []),
        clear: call('cache.clear', () => this.stats),
        verify: call('cache.verify', () => ({ checked: 0, damaged: [], unreadable: [], bytes: 0 })),
      },
    };
  }
}
