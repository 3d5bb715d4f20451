import type { ModelUsage } from '#shared/model/models.ts';

/** The tokens that all models of one run may read and write together. */
export class TokenBudget {
  readonly #most: number | undefined;
  #used = 0;

  constructor(most: number | undefined) {
    this.#most = most;
  }

  /** Undefined where there is no limit. */
  get left(): number | undefined {
    return this.#most === undefined ? undefined : Math.max(0, this.#most - this.#used);
  }

  /** The sentence that says that nothing is left. */
  get problem(): string | undefined {
    return this.left === 0 ? `the run used up its ${this.#most} tokens` : undefined;
  }

  use({ inputTokens, outputTokens }: ModelUsage): void {
    this.#used += inputTokens + outputTokens;
  }
}
