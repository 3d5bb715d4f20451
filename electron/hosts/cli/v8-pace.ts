/** A flag of V8, and what takes it back. */
interface Setting {
  readonly flag: string;
  readonly usual: string;
}

/**
 * Memory is not looked through bit by bit: a command on a thousand skills holds nearly all it ever made until it ends, so
 * that work finds nothing and is in vain. Where memory really runs short V8 collects all the same, at once.
 */
const fewerCollections: Setting = { flag: '--no-incremental-marking', usual: '--incremental-marking' };
/** By then short commands are over, and did not have to load what sets flags. */
const begunMs = 100;

/** How much code a function runs before V8 optimizes it, by V8's own default; only where that is known. */
const usualBudgets: Readonly<Record<string, number>> = { '11.3': 67_584 };
const slowFactor = 4;
/** By then a command has loaded what it needs, and most are over. */
const quickMs = 300;

/** Suits V8 to a command: to one that will soon be over, then to one that mostly waits for others. */
export class V8Pace {
  #setting: Setting | undefined;

  /** From now on, as the command turns out to be a longer one. */
  follow(): void {
    setTimeout(() => this.#use(fewerCollections), begunMs).unref();
    setTimeout(() => this.#use(lessOptimizing()), quickMs).unref();
  }

  /** Works with V8's own flags: compiled code is taken only by a process that has the same as the one that kept it. */
  usually<T>(work: () => T): T {
    const setting = this.#setting;
    if (!setting) return work();
    this.#use(undefined);
    try {
      return work();
    } finally {
      this.#use(setting);
    }
  }

  #use(setting: Setting | undefined): void {
    // Loaded only here: it takes longer than some commands.
    const { setFlagsFromString } = process.getBuiltinModule('node:v8');
    if (this.#setting) setFlagsFromString(this.#setting.usual);
    if (setting) setFlagsFromString(setting.flag);
    this.#setting = setting;
  }
}

/**
 * V8's threads took a quarter of the processor time that a run of a thousand short scripts spent in this process, for functions
 * that run a few thousand times.
 */
function lessOptimizing(): Setting | undefined {
  const usual = usualBudgets[process.versions.v8.split('.', 2).join('.')];
  if (usual === undefined) return undefined;
  return { flag: `--interrupt-budget=${usual * slowFactor}`, usual: `--interrupt-budget=${usual}` };
}
