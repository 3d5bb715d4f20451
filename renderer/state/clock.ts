/** Runs things later; tests turn it by hand. */
export interface Clock {
  /** Runs once after that many milliseconds unless the returned function is called first. */
  after(delayMs: number, run: () => void): () => void;
}

export const systemClock: Clock = {
  after(delayMs, run) {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
};
