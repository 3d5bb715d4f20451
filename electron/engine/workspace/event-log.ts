/** Numbered events that many readers follow from any recent number; the oldest fall out, and a reader who needs them is told. */
export class EventLog<E extends { seq: number }> {
  readonly #keep: number;
  #events: E[] = [];
  #seq = 0;
  #closed = false;
  readonly #waiting = new Set<() => void>();

  constructor(keep = 2000) {
    this.#keep = keep;
  }

  get seq(): number {
    return this.#seq;
  }

  append(make: (seq: number) => E): void {
    if (this.#closed) return;
    this.#events.push(make(++this.#seq));
    if (this.#events.length > this.#keep) this.#events = this.#events.slice(-Math.ceil(this.#keep / 2));
    this.#wake();
  }

  close(): void {
    this.#closed = true;
    this.#wake();
  }

  /** Yields every event after the number, then waits for more; ends when the log closes or the signal aborts. */
  async *after(
    seq: number,
    signal: AbortSignal | undefined,
    lost: (seq: number) => E,
  ): AsyncGenerator<E, void> {
    let last = seq;
    for (;;) {
      const oldest = this.#events[0]?.seq ?? this.#seq + 1;
      // A reader from another engine's life, or one that slept too long, cannot be given the events in between.
      if (last > this.#seq || last < oldest - 1) {
        yield lost(this.#seq);
        return;
      }
      const batch = this.#events.slice(last - oldest + 1);
      for (const event of batch) {
        if (signal?.aborted) return;
        last = event.seq;
        yield event;
      }
      if (signal?.aborted) return;
      if (last < this.#seq) continue;
      if (this.#closed) return;
      await this.#next(signal);
    }
  }

  #next(signal: AbortSignal | undefined): Promise<void> {
    return new Promise((resolve) => {
      const done = (): void => {
        this.#waiting.delete(done);
        signal?.removeEventListener('abort', done);
        resolve();
      };
      this.#waiting.add(done);
      signal?.addEventListener('abort', done, { once: true });
    });
  }

  #wake(): void {
    for (const done of [...this.#waiting]) done();
  }
}
