/** How much code a function runs before V8 optimizes it, by V8's own default; only where that is known. */
const usualBudgets: Readonly<Record<string, number>> = { '11.3': 67_584 };
const slowFactor = 4;
/** By then a command has loaded what it needs, and most are over. */
const quickMs = 300;

/**
 * Lets V8 optimize less in commands that mostly wait for others: its threads took a quarter of the processor time that a run
 * of a thousand short scripts spent in this process, for functions that run a few thousand times.
 */
export class OptimizerPace {
  readonly #usual = usualBudgets[process.versions.v8.split('.', 2).join('.')];
  #isSlow = false;

  /** Slower from when the command turns out to be a long one. */
  slowDown(): void {
    setTimeout(() => {
      this.#isSlow = true;
      this.#set();
    }, quickMs).unref();
  }

  /** Works with V8's own flags: compiled code is taken only by a process that has the same as the one that kept it. */
  usually<T>(work: () => T): T {
    if (!this.#isSlow) return work();
    this.#set(1);
    try {
      return work();
    } finally {
      this.#set();
    }
  }

  #set(factor = slowFactor): void {
    if (this.#usual === undefined) return;
    // Loaded only here: it takes longer than some commands.
    const { setFlagsFromString } = process.getBuiltinModule('node:v8');
    setFlagsFromString(`--interrupt-budget=${this.#usual * factor}`);
  }
}
