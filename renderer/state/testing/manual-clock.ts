import type { Clock } from '../clock.ts';

/** A clock that stands still until a test moves it. */
export class ManualClock implements Clock {
  #nowMs = 0;
  #waiting: { atMs: number; run: () => void }[] = [];

  /** When the things that wait are due, in milliseconds from now. */
  get delaysMs(): number[] {
    return this.#waiting.map(({ atMs }) => atMs - this.#nowMs);
  }

  after(delayMs: number, run: () => void): () => void {
    const entry = { atMs: this.#nowMs + delayMs, run };
    this.#waiting.push(entry);
    return () => {
      this.#waiting = this.#waiting.filter((other) => other !== entry);
    };
  }

  /** Moves on and lets everything that the due things started come to rest. */
  async advance(ms: number): Promise<void> {
    this.#nowMs += ms;
    const due = this.#waiting.filter(({ atMs }) => atMs <= this.#nowMs);
    this.#waiting = this.#waiting.filter((entry) => !due.includes(entry));
    for (const { run } of due) run();
    await settled();
  }
}

/** Resolves after all promise callbacks that are ready now, and those they make ready. */
export function settled(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, 0));
}
