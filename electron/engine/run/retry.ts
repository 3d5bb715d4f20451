import { skillRetryDefaults, type SkillRetry } from '#shared/model/lens.ts';
import type { FailureCause } from './step-result.ts';

const mostAttempts = 10;
const longestPauseMs = 60_000;

/** How a lens wants failed skills to be tried again. */
export class RetryPolicy {
  readonly #maxAttempts: number;
  readonly #backoffMs: readonly number[];
  readonly #retryOn: ReadonlySet<string>;
  readonly #abortOn: ReadonlySet<string>;

  constructor(policy: SkillRetry = {}) {
    const wanted = policy.maxAttempts ?? skillRetryDefaults.maxAttempts;
    this.#maxAttempts = Math.min(Math.max(Math.trunc(wanted) || 1, 1), mostAttempts);
    this.#backoffMs = policy.backoffMs ?? skillRetryDefaults.backoffMs;
    // The same scripts on the same input give the same result: judging it again helps only where the lens asks for it.
    const byDefault = skillRetryDefaults.retryOn.filter((cause) => cause !== 'validation_failure');
    this.#retryOn = new Set(policy.retryOn ?? byDefault);
    this.#abortOn = new Set(policy.abortOn ?? skillRetryDefaults.abortOn);
  }

  /** Whether a step that failed its n-th attempt, counted from 1, is tried again. */
  retries(cause: FailureCause, attempt: number): boolean {
    return attempt < this.attemptsFor(cause);
  }

  /** How often a step is tried that goes on failing like this. A crash is tried again once in any case. */
  attemptsFor(cause: FailureCause): number {
    if (this.#abortOn.has(cause)) return 1;
    if (this.#retryOn.has(cause === 'crash' ? 'script_failure' : cause)) return this.#maxAttempts;
    return cause === 'crash' ? Math.min(2, this.#maxAttempts) : 1;
  }

  /** How long to wait after the n-th attempt. */
  pauseMs(attempt: number): number {
    const pause = this.#backoffMs[Math.min(attempt, this.#backoffMs.length) - 1] ?? 0;
    return Number.isFinite(pause) ? Math.min(Math.max(pause, 0), longestPauseMs) : 0;
  }
}
