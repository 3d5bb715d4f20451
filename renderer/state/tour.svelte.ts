/** One thing the tour points at. */
export interface TourStep {
  readonly id: 'plan' | 'run' | 'reasons' | 'review' | 'history';
  readonly title: string;
  readonly text: string;
  /** Finds the element on the page that it is about. */
  readonly anchor: string;
}

export const tourSteps: readonly TourStep[] = [
  {
    id: 'plan',
    title: 'The plan comes first',
    text: 'Before anything runs you see every skill by wave: what will run, what comes from the cache, and how long it takes.',
    anchor: '#panel-plan',
  },
  {
    id: 'run',
    title: 'Run says what will happen',
    text: 'The button counts what runs and what is skipped. Skills are scripts in a sandbox; they need no key and no network here. Run twice: the second time nothing runs.',
    anchor: '[role="group"][aria-label="Run"]',
  },
  {
    id: 'reasons',
    title: 'Every decision has its reason',
    text: 'Change one line of a script, a page or the lens. The plan names exactly that change; choose the reason to see the difference.',
    anchor: 'section[aria-label="Panel"]',
  },
  {
    id: 'review',
    title: 'You decide what is written',
    text: 'Skills only propose files. Look at each as a difference, take all of it or only some parts, then apply.',
    anchor: '#panel-changes',
  },
  {
    id: 'history',
    title: 'Nothing gets lost',
    text: 'Every run is kept here: open any of them, compare two, or export one as a page of its own.',
    anchor: 'nav [aria-label="History"]',
  },
];

interface TourOptions {
  /** Brings what a step points at onto the screen. */
  readonly show: (step: TourStep) => void;
  /** The tour was taken or dismissed. */
  readonly ended: () => void;
}

/** The short tour of the studio: one step after the other, ended at any time. */
export class Tour {
  readonly #options: TourOptions;
  #at = $state.raw<number>();

  constructor(options: TourOptions) {
    this.#options = options;
  }

  /** Undefined while nobody takes it. */
  get step(): TourStep | undefined {
    return this.#at === undefined ? undefined : tourSteps[this.#at];
  }

  /** From 1. */
  get number(): number {
    return (this.#at ?? 0) + 1;
  }

  start(): void {
    this.#go(0);
  }

  /** The next step; after the last one the tour is over. */
  next(): void {
    if (this.#at === undefined) return;
    if (this.#at + 1 < tourSteps.length) this.#go(this.#at + 1);
    else this.end();
  }

  back(): void {
    if (this.#at !== undefined && this.#at > 0) this.#go(this.#at - 1);
  }

  end(): void {
    if (this.#at === undefined) return;
    this.#at = undefined;
    this.#options.ended();
  }

  #go(at: number): void {
    this.#at = at;
    this.#options.show(tourSteps[at]!);
  }
}
