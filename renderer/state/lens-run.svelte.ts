import type { Plan, PlanStep } from '#shared/model/plan.ts';
import { outcomeOf, shareText } from '#shared/judgment/overall.ts';
import { overallOf } from '#shared/judgment/verdict-words.ts';
import { agoText } from '#shared/quantities.ts';
import type { RunId, RunSummary } from '#shared/model/run.ts';
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
  /** What the run that goes on, or the last one, is watched with; it goes on while an older one is shown. */
  #main = $state.raw<RunView>()!;
  /** For an older run that is looked at meanwhile. */
  #aside: RunView;
  #shown = $state.raw<RunView>()!;
  readonly review: ReviewView;
  readonly tests: TestsView;
  #shows = $state.raw<'plan' | 'run'>('plan');
  #isAskingForInputs = $state.raw(false);
  #cancelReview: () => void = () => undefined;
  /** Whether a run was started or opened, also one that is not on the screen yet. */
  #hasOpened = false;
  #opened: RunId | undefined;
  #isClosed = false;

  constructor(options: LensRunOptions) {
    this.#options = options;
    const { file, source, clock, documents } = options;
    this.plan = new PlanView({ file, source, clock, documents, answered: (plan) => this.#planned(plan) });
    this.#main = this.#newView();
    this.#aside = this.#newView();
    this.#shown = this.#main;
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

  /** The run that is shown: the one that goes on, or one of the history. */
  get run(): RunView {
    return this.#shown;
  }

  /** The run that goes on, whatever is shown; one lens has one from this page. */
  get live(): RunView | undefined {
    return [this.#main, this.#shown].find(({ isRunning }) => isRunning);
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
    if (this.live || !(await this.#saveAll()) || this.live) return;
    this.#toRun(this.#main);
    await this.#main.start(this.plan.request);
    if (this.run.phase.phase === 'none') this.show('plan');
  }

  /** Puts the user's word in place of a judge's: the next plan counts it. */
  async override(...said: Parameters<RunView['override']>): Promise<void> {
    await this.run.override(...said);
    this.#options.changed();
    this.plan.refresh(settleMs);
  }

  /** Shows a run of the history; one that goes on is watched all the same. */
  async open(run: RunId): Promise<void> {
    const { phase, isRunning } = this.#main;
    if (phase.phase === 'running' && phase.run === run) return this.showLive();
    const view = isRunning ? this.#aside : this.#main;
    this.#opened = run;
    this.#toRun(view);
    await view.follow(run);
  }

  /** Comes back from an older run to the one that goes on. */
  showLive(): void {
    this.#toRun(this.live ?? this.#main);
    this.#drawAll();
  }

  /**
   * Shows what ran without this page, as after a reload: a run that goes on at once, else the newest of the history when
   * `drawn` is done, since graph and plan are wanted first. The graph keeps the plan unless something runs.
   */
  async catchUp(drawn: Promise<unknown> = Promise.resolve()): Promise<void> {
    const { phase } = this.#main;
    if (phase.phase === 'running') return this.#main.follow(phase.run);
    const found = await this.#main.findRecent();
    if (found?.status !== 'running') await drawn;
    if (!found || this.#isClosed || this.live || found.runId === this.#opened) return;
    // Something was opened meanwhile: that stays on the screen.
    if (this.#hasOpened || this.#main.phase.phase !== 'none') {
      return found.status === 'running' ? this.#watchBehind(found.runId) : undefined;
    }
    if (found.status === 'running') await this.open(found.runId);
    else await this.#main.follow(found.runId);
  }

  /** Takes up a run that others started, or that ended before anybody looked; never an older one than is shown. */
  notice({ running, ended }: RunNews): void {
    const { phase } = this.#main;
    const isWanted = ({ lens, runId }: RunSummary): boolean =>
      lens === this.#options.file && (phase.phase !== 'ended' || phase.run < runId);
    const found = running.find(isWanted) ?? ended.find(isWanted);
    if (found && !this.live) void this.open(found.runId);
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
    this.#main.close();
    this.#aside.close();
    this.tests.close();
  }

  /** Whether this is the run that is watched here. */
  watches(run: RunId): boolean {
    const { phase } = this.#main;
    return 'run' in phase && phase.run === run;
  }

  #newView(): RunView {
    const { clock, file, source, speak, changed } = this.#options;
    const view: RunView = new RunView({
      clock,
      file,
      source,
      stepChanged: (skill) => {
        if (view === this.#shown) this.#stepChanged(skill);
      },
      ended: ({ status, runId }, isNews) => {
        if (view === this.#shown) void this.review.ask();
        if (!isNews) return;
        speak(`Run ${status}`);
        changed();
        if (view.record?.runId === runId) this.plan.refresh(settleMs);
      },
    });
    return view;
  }

  /** Leaves what is shown for a run. */
  #toRun(view: RunView): void {
    this.#hasOpened = true;
    this.review.reset();
    if (view !== this.#aside) this.#aside.close();
    this.#shown = view;
    this.#shows = 'run';
  }

  /** Follows a run that goes on without taking the place of the one that was opened. */
  async #watchBehind(run: RunId): Promise<void> {
    [this.#main, this.#aside] = [this.#aside, this.#main];
    await this.#main.follow(run);
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
    if (this.#shows === 'run' && !this.live && hasWork && !failed) this.#shows = 'plan';
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
