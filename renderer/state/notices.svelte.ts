import type { Clock } from './clock.ts';
import type { Failure } from './failure.ts';

export interface ShownNotice {
  readonly id: number;
  readonly tone: 'info' | 'failure';
  readonly message: string;
  readonly wayOut: string | undefined;
}

const infoStaysMs = 6_000;

/** Messages that belong to no place on the screen, and what a screen reader is told. */
export class Notices {
  readonly #clock: Clock;
  #nextId = 1;
  #shown = $state.raw<readonly ShownNotice[]>([]);
  #spoken = $state.raw('');

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  get shown(): readonly ShownNotice[] {
    return this.#shown;
  }

  get spoken(): string {
    return this.#spoken;
  }

  /** Tells a screen reader without showing anything: the change is visible elsewhere. */
  speak(message: string): void {
    this.#spoken = message;
  }

  /** Shows a message that leaves by itself. */
  tell(message: string): void {
    const id = this.#add({ tone: 'info', message, wayOut: undefined });
    this.#clock.after(infoStaysMs, () => this.dismiss(id));
  }

  /** Shows a message that stays until it is dismissed. */
  warn(failure: Pick<Failure, 'message'> & { readonly wayOut?: string }): void {
    this.#add({ tone: 'failure', message: failure.message, wayOut: failure.wayOut });
  }

  dismiss(id: number): void {
    this.#shown = this.#shown.filter((notice) => notice.id !== id);
  }

  #add(notice: Omit<ShownNotice, 'id'>): number {
    const same = this.#shown.find(
      (shown) => shown.message === notice.message && shown.wayOut === notice.wayOut,
    );
    if (same) return same.id;
    const id = this.#nextId++;
    this.#shown = [...this.#shown, { id, ...notice }];
    this.speak(notice.message);
    return id;
  }
}
