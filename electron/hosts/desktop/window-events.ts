import type { AppEvent } from '#shared/model/app.ts';
import { AppEvents } from '../common/app-events.ts';

const maxKept = 20;

interface Page {
  readonly events: AppEvents;
  listeners: number;
}

/** What the host tells the page of one window. What is said while no page listens is kept for the next that does. */
export class WindowEvents implements Disposable {
  #page: Page = newPage();
  #kept: AppEvent[] = [];

  publish(event: AppEvent): void {
    if (this.#page.listeners > 0) this.#page.events.emit(event);
    else this.#kept = [...this.#kept, event].slice(-maxKept);
  }

  /** Ends every stream of the page that was here. */
  pageLeft(): void {
    this.#page.events[Symbol.dispose]();
    this.#page = newPage();
  }

  /**
   * The streams of the page that is here now, which end when it leaves or the signal aborts.
   * A call of a crashed page can still be on its way: bound to that page, it takes nothing from the next one.
   */
  forThisPage(): (signal: AbortSignal | undefined) => AsyncIterable<AppEvent> {
    const page = this.#page;
    return (signal) => this.#stream(page, signal);
  }

  [Symbol.dispose](): void {
    this.pageLeft();
  }

  async *#stream(page: Page, signal: AbortSignal | undefined): AsyncGenerator<AppEvent, void> {
    if (page !== this.#page) return;
    const events = page.events.stream(signal);
    const kept = this.#kept;
    this.#kept = [];
    page.listeners++;
    try {
      yield* kept;
      yield* events;
    } finally {
      page.listeners--;
    }
  }
}

function newPage(): Page {
  return { events: new AppEvents(), listeners: 0 };
}
