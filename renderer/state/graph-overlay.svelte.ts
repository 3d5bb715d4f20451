/** What a plan says about a skill. */
export type GraphDecision = 'run' | 'skip' | 'rejudge' | 'undecided' | 'blocked';

/** How far a skill is in a run. */
export type GraphStepState =
  | 'pending'
  | 'running'
  | 'cached'
  | 'ran'
  | 'judged-failed'
  | 'failed'
  | 'blocked'
  | 'cancelled'
  | 'interrupted';

/** What plan and run add to a skill of the graph. Where both are known, the state is shown, not the decision. */
export interface SkillOverlay {
  readonly decision?: GraphDecision;
  /** The sentence behind the decision. */
  readonly reason?: string;
  readonly state?: GraphStepState;
  /** Measured where there is a state that ran, else an estimate. */
  readonly durationMs?: number;
  /** In a word or two, such as "passed 0.94". */
  readonly verdict?: string;
}

/** The last value of a context key as text, where a run left one. */
export type LastValue = (contextKey: string) => string | undefined;

/** One skill's overlay; only who reads it is told of a change. */
class Slot {
  value = $state.raw<SkillOverlay>();

  constructor(value: SkillOverlay | undefined) {
    this.value = value;
  }
}

/** Decisions and states over one graph, by skill record key. A change of one skill redraws that skill only. */
export class GraphOverlay {
  readonly #slots = new Map<string, Slot>();
  /** Counts changes of any skill, for what draws all of them at once. */
  #version = $state.raw(0);
  /** Counts the skills heard of for the first time: who asked before had no slot to listen to. */
  #membership = $state.raw(0);
  #lastValue = $state.raw<LastValue>(() => undefined);

  get version(): number {
    return this.#version;
  }

  get lastValue(): LastValue {
    return this.#lastValue;
  }

  get(key: string): SkillOverlay | undefined {
    const slot = this.#slots.get(key);
    if (slot) return slot.value;
    void this.#membership;
    return undefined;
  }

  set(key: string, overlay: SkillOverlay): void {
    this.#put(key, overlay);
    this.#version++;
  }

  /** Replaces everything known; skills that are not in the map have nothing over them. */
  replaceAll(overlays: ReadonlyMap<string, SkillOverlay>): void {
    for (const [key, slot] of this.#slots) if (!overlays.has(key)) slot.value = undefined;
    for (const [key, overlay] of overlays) this.#put(key, overlay);
    this.#version++;
  }

  /** Says where ports take the last value of a key from. */
  showValues(lastValue: LastValue): void {
    this.#lastValue = lastValue;
  }

  #put(key: string, overlay: SkillOverlay): void {
    const slot = this.#slots.get(key);
    if (slot) {
      slot.value = overlay;
      return;
    }
    this.#slots.set(key, new Slot(overlay));
    this.#membership++;
  }
}
