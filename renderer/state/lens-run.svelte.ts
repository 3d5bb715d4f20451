import type { Plan, PlanStep } from '#shared/model/plan.ts';
import { outcomeOf, shareText } from '#shared/judgment/overall.ts';
import { overallOf } from '#shared/judgment/verdict-words.ts';
import { agoText } from '#shared/quantities.ts';
import type { RunSummary } from '#shared/model/run.ts';
import type { FileId } from '#shared/model/workspace.ts';
import type { Clock } from './clock.ts';
import type { DocumentSource, OpenDocument } from './document.svelte.ts';
import type { GraphOverlay, SkillOverlay } from './graph-overlay.svelte.ts';
import { PlanView } from './plan.svelte.ts';
import type { RunNews } from './recent-runs.svelte.ts';
import { ReviewView } from './review.svelte.ts';
import { RunView } from './run.svelte.ts';
import type { LiveStep } from './run.svelte.ts';
import { TestsView } from './tests.svelte.ts';

interface LensRunOptions {
  readonly file: FileId;
  readonly source: () => DocumentSource;
  readonly clock: Clock;
  readonly documents: () => readonly OpenDocument[];
  readonly overlay: GraphOverlay;
  /** A run ended or wrote files: lists of runs and the cache are no longer true. */
  readonly changed: () => void;
  readonly speak: (sentence: string) => void;
}

/** How long a plan waits for more events of one change. */
const settleMs = 50;

/** Plan, run, review and tests of one open lens, and which of plan and run the graph shows. */
export class LensRun {
  readonly #options: LensRunOptions;
  readonly plan: PlanView;
  readonly run: RunView;
  readonly review: ReviewView;
  readonly tests: TestsView;
  #shows = $state.raw<'plan' | 'run'>('plan');
  #isAskingForInputs = $state.raw(false);
  #cancelReview: () => void = () => undefined;
  /** Whether a run was started or opened, also one that is not on the screen yet. */
  #hasOpened = false;
  #isClosed = false;

  constructor(options: LensRunOptions) {
    this.#options = options;
    const { file, source, clock, documents } = options;
    this.plan = new PlanView({ file, source, clock, documents, answered: (plan) => this.#planned(plan) });
    this.run = new RunView({
      clock,
      file,
      source,
      stepChanged: (skill) => this.#stepChanged(skill),
      ended: ({ status, runId }, isNews) => {
        void this.review.ask();
        if (!isNews) return;
        options.speak(`Run ${status}`);
        options.changed();
        if (this.run.record?.runId === runId) this.plan.refresh(settleMs);
      },
    });
    this.review = new ReviewView({
      source,
      clock,
      run: () => this.run.record?.runId,
      applied: (paths) => {
        options.speak(`Applied ${paths.length === 1 ? paths[0] : `${paths.length} files`}`);
        options.changed();
        this.plan.refresh(settleMs);
      },
    });
    this.tests = new TestsView({ file, source, clock, saveAll: () => this.#saveAll() });
  }

  /** What decisions and states in the graph are of. */
  get shows(): 'plan' | 'run' {
    return this.#shows;
  }

  /** Whether the form for the inputs of the lens is open. */
  get isAskingForInputs(): boolean {
    return this.#isAskingForInputs;
  }

  askForInputs(): void {
    this.#isAskingForInputs = true;
  }

  stopAsking(): void {
    this.#isAskingForInputs = false;
  }

  show(what: 'plan' | 'run'): void {
    if (what === 'run' && this.run.phase.phase === 'none') return;
    this.#shows = what;
    this.#drawAll();
  }

  /** Saves what is typed, since a run reads the disk, and starts what the plan says. */
  async start(): Promise<void> {
    if (!(await this.#saveAll())) return;
    this.#toRun();
    await this.run.start(this.plan.request);
    if (this.run.phase.phase === 'none') this.show('plan');
  }

  /** Puts the user's word in place of a judge's: the next plan counts it. */
  async override(...said: Parameters<RunView['override']>): Promise<void> {
    await this.run.override(...said);
    this.#options.changed();
    this.plan.refresh(settleMs);
  }

  /** Shows a run of the history. */
  async open(run: Parameters<RunView['follow']>[0]): Promise<void> {
    this.#toRun();
    await this.run.follow(run);
  }

  /**
   * Shows what ran without this page, as after a reload: a run that goes on at once, else the newest of the history when
   * `drawn` is done, since graph and plan are wanted first. The graph keeps the plan unless something runs.
   */
  async catchUp(drawn: Promise<unknown> = Promise.resolve()): Promise<void> {
    const { run } = this;
    if (run.phase.phase === 'running') return run.follow(run.phase.run);
    const found = await run.findRecent();
    if (found?.status !== 'running') await drawn;
    // Something was started or opened meanwhile: that is what counts.
    if (!found || this.#isClosed || this.#hasOpened || run.phase.phase !== 'none') return;
    if (found.status === 'running') await this.open(found.runId);
    else await run.follow(found.runId);
  }

  /** Takes up a run that others started, or that ended before anybody looked; never an older one than is shown. */
  notice({ running, ended }: RunNews): void {
    const { phase } = this.run;
    const isWanted = ({ lens, runId }: RunSummary): boolean =>
      lens === this.#options.file && (phase.phase !== 'ended' || phase.run < runId);
    const found = running.find(isWanted) ?? ended.find(isWanted);
    if (found && !this.run.isRunning) void this.open(found.runId);
  }

  /** Looks again at what depends on files that are none of the lens: whether changes still fit, and the tests. */
  filesChanged(delayMs: number): void {
    this.tests.refresh(delayMs);
    this.#cancelReview();
    this.#cancelReview = this.#options.clock.after(delayMs, () => {
      if (this.run.phase.phase === 'ended' && this.review.files.length > 0) void this.review.ask();
    });
  }

  close(): void {
    this.#isClosed = true;
    this.#cancelReview();
    this.plan.close();
    this.run.close();
    this.tests.close();
  }

  /** Leaves what is shown for a run. */
  #toRun(): void {
    this.#hasOpened = true;
    this.review.reset();
    this.#shows = 'run';
  }

  async #saveAll(): Promise<boolean> {
    for (const document of this.#options.documents()) {
      if (document.isDirty && !(await document.save())) return false;
    }
    return true;
  }

  #planned({ decisions }: Plan): void {
    // An edit after a run makes the plan what counts again.
    const hasWork = decisions.some(({ decision }) => decision === 'run' || decision === 'rejudge');
    const failed = this.run.record?.status !== 'succeeded';
    if (this.#shows === 'run' && !this.run.isRunning && hasWork && !failed) this.#shows = 'plan';
    if (this.#shows === 'plan') this.#drawAll();
  }

  #stepChanged(skill: string | undefined): void {
    if (this.#shows !== 'run') return;
    if (skill === undefined) return this.#drawAll();
    this.#options.overlay.set(skill, this.#runOverlay(skill));
  }

  #drawAll(): void {
    const decisions = this.plan.plan?.decisions ?? [];
    const overlays = new Map<string, SkillOverlay>(
      this.#shows === 'plan'
        ? decisions.map((step) => [step.skill, planOverlay(step)])
        : [...this.run.steps.keys()].map((skill) => [skill, this.#runOverlay(skill)]),
    );
    this.#options.overlay.replaceAll(overlays);
  }

  #runOverlay(skill: string): SkillOverlay {
    const step = this.run.steps.get(skill);
    const planned = this.run.record?.plan.decisions.find((decision) => decision.skill === skill);
    const durationMs = durationOf(step, planned);
    return {
      ...(planned && { decision: planned.decision, reason: planned.reasons[0]!.sentence }),
      ...(step && { state: step.state }),
      ...(durationMs !== undefined && { durationMs }),
      ...(step?.verdicts?.length && { verdict: verdictOf(step) }),
    };
  }
}

/** What the judges come to, as a node has room for. */
function verdictOf({ verdicts = [], rule }: LiveStep): string {
  const { outcome, confidence } = overallOf({ verdicts, rule }) ?? {};
  const failed = verdicts.filter((verdict) => /fail|error/.test(outcomeOf(verdict))).length;
  if (outcome === 'passed' && verdicts.some(({ override }) => override)) return 'passed by you';
  if (outcome === 'not-judged') return 'not judged';
  if (outcome === 'failed' || (outcome === undefined && failed > 0)) {
    return failed > 0 ? `${failed} failed` : 'did not pass';
  }
  return confidence === undefined ? 'passed' : `passed ${shareText(confidence)}`;
}

/** What it took, what it saved, or what it will probably take; nothing for a step that never began. */
function durationOf(step: LiveStep | undefined, planned: PlanStep | undefined): number | undefined {
  switch (step?.state) {
    case 'running':
    case 'blocked':
    case 'cancelled':
    case 'interrupted':
      return undefined;
    case 'cached':
      return step.savedMs;
    default:
      return step?.durationMs ?? planned?.estimatedMs;
  }
}

function planOverlay({ decision, reasons, estimatedMs, savedMs, from }: PlanStep): SkillOverlay {
  const durationMs = decision === 'skip' ? savedMs : estimatedMs;
  return {
    decision,
    reason: decision === 'skip' && from ? `cached · ${agoText(from.at, Date.now())}` : reasons[0]!.sentence,
    ...(durationMs !== undefined && { durationMs }),
  };
}
