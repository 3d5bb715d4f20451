import type { AppEvent } from '#shared/model/app.ts';

/** Hands what the host says to every page that listens; ends each listener's stream when closed, after what was said. */
export class AppEvents implements Disposable {
  readonly #listeners = new Set<Listener>();
  #isClosed = false;

  emit(event: AppEvent): void {
    for (const listener of this.#listeners) listener.push(event);
  }

  /** Everything emitted from now on. Listening starts with the call, not with the first read. */
  stream(signal: AbortSignal | undefined): AsyncIterable<AppEvent> {
    const listener = new Listener();
    if (this.#isClosed || signal?.aborted) listener.end();
    else {
      this.#listeners.add(listener);
      signal?.addEventListener('abort', () => this.#leave(listener), { once: true });
    }
    return this.#read(listener);
  }

  [Symbol.dispose](): void {
    this.#isClosed = true;
    for (const listener of this.#listeners) listener.end();
    this.#listeners.clear();
  }

  async *#read(listener: Listener): AsyncGenerator<AppEvent, void> {
    try {
      for (;;) {
        const event = await listener.next();
        if (!event) return;
        yield event;
      }
    } finally {
      this.#leave(listener);
    }
  }

  #leave(listener: Listener): void {
    this.#listeners.delete(listener);
    listener.end();
  }
}

/** One reader's queue. A page that reads nothing is not worth more than this many events. */
const queueLimit = 100;

class Listener {
  readonly #queue: AppEvent[] = [];
  #isEnded = false;
  #wake: () => void = () => undefined;

  push(event: AppEvent): void {
    if (this.#queue.length < queueLimit) this.#queue.push(event);
    this.#wake();
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  async next(): Promise<AppEvent | undefined> {
    while (this.#queue.length === 0 && !this.#isEnded) {
      await new Promise<void>((resolve) => (this.#wake = resolve));
    }
    return this.#queue.shift();
  }
}
