import type { Clock } from './clock.ts';
import { toFailure } from './failure.ts';
import type { Failure } from './failure.ts';

interface LatestOptions<T> {
  readonly clock: Clock;
  readonly ask: (signal: AbortSignal) => Promise<T>;
  readonly answered?: (answer: T) => void;
}

/** The engine's newest answer to one question that is asked again and again. It stays until a newer one is there. */
export class Latest<T> {
  readonly #options: LatestOptions<T>;
  #answer = $state.raw<T>();
  #failure = $state.raw<Failure>();
  #isAsking = $state.raw(false);
  #asking = new AbortController();
  #cancelRefresh: () => void = () => undefined;

  constructor(options: LatestOptions<T>) {
    this.#options = options;
  }

  /** Undefined until the engine has answered for the first time. */
  get answer(): T | undefined {
    return this.#answer;
  }

  /** Why the engine gave no newer answer. */
  get failure(): Failure | undefined {
    return this.#failure;
  }

  get isAsking(): boolean {
    return this.#isAsking;
  }

  /** Asks after a pause; a further call starts the pause again. */
  refresh(delayMs: number): void {
    this.#cancelRefresh();
    this.#cancelRefresh = this.#options.clock.after(delayMs, () => void this.ask());
  }

  /** Asks now; an answer to an earlier question is no longer wanted. */
  async ask(): Promise<void> {
    this.close();
    const { signal } = (this.#asking = new AbortController());
    this.#isAsking = true;
    try {
      const answer = await this.#options.ask(signal);
      if (signal.aborted) return;
      this.#answer = answer;
      this.#failure = undefined;
      this.#options.answered?.(answer);
    } catch (error) {
      if (!signal.aborted) this.#failure = toFailure(error);
    } finally {
      if (!signal.aborted) this.#isAsking = false;
    }
  }

  /** Takes an answer that came another way, such as with the answer to a change. */
  take(answer: T): void {
    this.close();
    this.#answer = answer;
    this.#failure = undefined;
  }

  /** Stops asking. */
  close(): void {
    this.#cancelRefresh();
    this.#asking.abort();
    this.#isAsking = false;
  }
}
