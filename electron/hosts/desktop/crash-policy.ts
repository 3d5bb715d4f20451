const repeatedWithinMs = 60_000;

/** Decides after each crash of a page: once it is loaded again by itself, twice within a minute the user is asked. */
export class CrashPolicy {
  #last = Number.NEGATIVE_INFINITY;

  next(nowMs: number): 'reload' | 'ask' {
    const isRepeated = nowMs - this.#last < repeatedWithinMs;
    this.#last = nowMs;
    return isRepeated ? 'ask' : 'reload';
  }
}
