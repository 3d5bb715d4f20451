import type { AppEvent } from '#shared/model/app.ts';
import { AppEvents } from '../common/app-events.ts';

const maxKept = 20;

/** What the host tells the page of one window. What is said before the page listens is kept for it. */
export class WindowEvents implements Disposable {
  #page: AppEvents | undefined;
  #kept: AppEvent[] = [];

  publish(event: AppEvent): void {
    if (this.#page) this.#page.emit(event);
    else this.#kept = [...this.#kept, event].slice(-maxKept);
  }

  /** Ends every stream of the page that was here; from now on events are kept for the next one. */
  pageLeft(): void {
    this.#page?.[Symbol.dispose]();
    this.#page = undefined;
  }

  /** Yields what was kept, then what comes; ends when the page leaves or the signal aborts. */
  async *stream(signal: AbortSignal | undefined): AsyncGenerator<AppEvent, void> {
    this.#page ??= new AppEvents();
    const events = this.#page.stream(signal);
    const kept = this.#kept;
    this.#kept = [];
    yield* kept;
    yield* events;
  }

  [Symbol.dispose](): void {
    this.pageLeft();
  }
}
