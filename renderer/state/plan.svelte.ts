import type { Decision, Plan, PlanRequest, PlanStep, Reason, ReasonDifference } from '#shared/model/plan.ts';
import type { PromptPreview } from '#shared/model/prompt.ts';
import { countText } from '#shared/quantities.ts';
import type { FileId } from '#shared/model/workspace.ts';
import type { Clock } from './clock.ts';
import type { DocumentSource, OpenDocument } from './document.svelte.ts';
import type { Failure } from './failure.ts';
import { Latest } from './latest.svelte.ts';
import { unsavedTexts } from './resolution.svelte.ts';

/** Which skills the user wants: all, or a part seen from one skill. */
export type PlanChoice =
  | { readonly kind: 'all' | 'failed' | 'stale' | 'force' }
  | { readonly kind: 'only' | 'to' | 'from' | 'force-skill'; readonly skill: string };

interface PlanViewOptions {
  readonly file: FileId;
  readonly source: () => DocumentSource;
  readonly clock: Clock;
  readonly documents: () => readonly OpenDocument[];
  readonly answered: (plan: Plan) => void;
}

/** What a run of one open lens would do now, and why. */
export class PlanView {
  readonly #options: PlanViewOptions;
  readonly #latest: Latest<Plan>;
  #choice = $state.raw<PlanChoice>({ kind: 'all' });
  /** The choice that the plan was made for. */
  #answered = $state.raw<PlanChoice>();
  #inputs = $state.raw<Readonly<Record<string, unknown>>>({});
  #task = $state.raw('');

  /** Skills that stay blocked until the user has read and trusted them, by record key. */
  readonly untrusted: ReadonlySet<string> = $derived.by(
    () => new Set(this.plan?.decisions.filter(isUntrusted).map(({ skill }) => skill)),
  );
  readonly #byKey = $derived.by(() => new Map(this.plan?.decisions.map((step) => [step.skill, step])));
  readonly counts = $derived.by(() => {
    const counts: Record<Decision, number> = { run: 0, skip: 0, rejudge: 0, undecided: 0, blocked: 0 };
    for (const { decision } of this.plan?.decisions ?? []) counts[decision]++;
    return counts;
  });

  /** Skills that are no longer as the cache has them; none are known while the plan is of a choice of the user. */
  readonly staleCount = $derived.by(() => {
    if (this.#answered?.kind !== 'all') return 0;
    const { run, rejudge, undecided } = this.counts;
    return run + rejudge + undecided;
  });

  constructor(options: PlanViewOptions) {
    this.#options = options;
    this.#latest = new Latest({
      clock: options.clock,
      ask: (signal) => this.#make(signal),
      answered: (plan) => {
        // A choice asks at once, so the answer is the one to it.
        this.#answered = this.#choice;
        options.answered(plan);
      },
    });
  }

  get plan(): Plan | undefined {
    return this.#latest.answer;
  }

  get failure(): Failure | undefined {
    return this.#latest.failure;
  }

  get isAsking(): boolean {
    return this.#latest.isAsking;
  }

  get choice(): PlanChoice {
    return this.#choice;
  }

  /** Values for the run inputs of the lens, as the user gave them. */
  get inputs(): Readonly<Record<string, unknown>> {
    return this.#inputs;
  }

  /** What the run button says: never more than will happen. */
  readonly runLabel = $derived.by(() => {
    const { run, rejudge, skip, undecided, blocked } = this.counts;
    const parts = [
      run > 0 ? `run ${run}` : 'run',
      rejudge > 0 ? `re-judge ${rejudge}` : '',
      skip > 0 ? `skip ${skip}` : '',
      undecided > 0 ? `${undecided} undecided` : '',
      blocked > 0 ? `${blocked} blocked` : '',
    ].filter((part) => part !== '');
    const text = parts.join(' · ');
    return text.charAt(0).toUpperCase() + text.slice(1);
  });

  /** Keys that no value was given for and that keep skills from running. */
  readonly missingInputs = $derived.by(() => {
    const reasons = this.plan?.decisions.flatMap((step) => step.reasons) ?? [];
    return [...new Set(reasons.filter(({ id }) => id === 'needs-input').map(({ subject }) => subject))];
  });

  readonly request = $derived.by((): PlanRequest => {
    const inputs = Object.keys(this.#inputs).length > 0 ? { inputs: { ...this.#inputs } } : {};
    const task = this.#task === '' ? {} : { task: this.#task };
    return { ...task, ...inputs, ...requestOf(this.#choice) };
  });

  step(key: string): PlanStep | undefined {
    return this.#byKey.get(key);
  }

  choose(choice: PlanChoice): void {
    this.#choice = choice;
    void this.ask();
  }

  /** What the user wants done, in their words; skills and models get it. */
  get task(): string {
    return this.#task;
  }

  giveInputs(inputs: Readonly<Record<string, unknown>>, task: string): void {
    this.#inputs = inputs;
    this.#task = task;
    void this.ask();
  }

  /** What a model would be sent for one skill now, with what is typed and not saved. */
  prompt(skill: string): Promise<PromptPreview> {
    const { client, workspace } = this.#options.source();
    const { file, documents } = this.#options;
    const unsaved = unsavedTexts(documents());
    return client.prompt.preview({ workspace, file, skill, request: this.request, unsaved });
  }

  /** The two texts behind one reason. */
  difference(skill: string, reason: Reason): Promise<ReasonDifference> {
    const { client, workspace } = this.#options.source();
    return client.plan.difference({ workspace, file: this.#options.file, skill, reason });
  }

  refresh(delayMs: number): void {
    this.#latest.refresh(delayMs);
  }

  ask(): Promise<void> {
    return this.#latest.ask();
  }

  close(): void {
    this.#latest.close();
  }

  #make(signal: AbortSignal): Promise<Plan> {
    const { client, workspace } = this.#options.source();
    const unsaved = unsavedTexts(this.#options.documents());
    const { file } = this.#options;
    return client.plan.make({ workspace, file, request: this.request, unsaved }, { signal });
  }
}

function requestOf(choice: PlanChoice): PlanRequest {
  switch (choice.kind) {
    case 'all':
      return {};
    case 'failed':
      return { selection: { failed: true } };
    case 'stale':
      return { selection: { stale: true } };
    case 'force':
      return { force: true };
    case 'force-skill':
      return { selection: { only: [choice.skill] }, force: [choice.skill] };
    default:
      return { selection: { [choice.kind]: [choice.skill] } };
  }
}

/** What can be chosen where a skill is selected or none is; the choice that counts now is always among them, as itself. */
export function planChoices(now: PlanChoice, skill: string | undefined): readonly PlanChoice[] {
  const kinds = ['all', 'stale', 'failed', 'force'] as const;
  const skillKinds = ['to', 'from', 'force-skill'] as const;
  const choices: PlanChoice[] = [
    ...kinds.map((kind) => ({ kind })),
    ...(skill === undefined ? [] : skillKinds.map((kind) => ({ kind, skill }))),
  ];
  const isNow = (choice: PlanChoice): boolean =>
    choice.kind === now.kind && (!('skill' in choice) || ('skill' in now && choice.skill === now.skill));
  return choices.some(isNow) ? choices.map((choice) => (isNow(choice) ? now : choice)) : [...choices, now];
}

/** The choice as a line of a menu. */
export function choiceTitle(choice: PlanChoice): string {
  switch (choice.kind) {
    case 'only':
      return `Only ${choice.skill} and what it needs`;
    case 'to':
      return `Up to ${choice.skill}`;
    case 'from':
      return `From ${choice.skill} down`;
    default:
      return choiceText(choice, 0);
  }
}

/** The choice in words, for the button beside Run. */
export function choiceText(choice: PlanChoice, selected: number): string {
  switch (choice.kind) {
    case 'all':
      return 'All skills';
    case 'failed':
      return 'Only what failed';
    case 'stale':
      return 'Only what is stale';
    case 'force':
      return 'All, without the cache';
    case 'force-skill':
      return `${choice.skill}, without the cache`;
    default:
      return `${choiceTitle(choice)} (${countText(selected, 'skill')})`;
  }
}

function isUntrusted({ reasons }: PlanStep): boolean {
  return reasons.some(({ id, subject }) => id === 'problem' && subject === 'trust');
}
