import type { Walls } from './cgroup/control-groups.ts';
import { giveUp, isWaiting, startWaiting, type StartParts, type WaitingStart } from './waiting-start.ts';

export interface StartsAheadParts extends StartParts {
  /** The walls of the groups it makes; a script that needs others is started from nothing. */
  readonly walls: Walls;
}

const most = 4;
/** Starts that come closer together than this are part of a run with many scripts. */
const closeMs = 1000;
/** How long a start waits for a script before it is given up. */
const idleMs = 5000;

/**
 * Keeps the next starts ready. To fork the studio and to enter a control group takes as long as all the rest of a start,
 * and can be done before the script is known.
 */
export class StartsAhead implements Disposable {
  readonly #parts: StartsAheadParts;
  #waiting: WaitingStart[] = [];
  #wanted = 1;
  #coming = 0;
  #takenAt = -Infinity;
  #idle: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(parts: StartsAheadParts) {
    this.#parts = parts;
  }

  /** Lets the next starts be made ready; a failure is told to the script that has to start without. */
  prepare(): void {
    if (this.#isDisposed) return;
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#giveUpAll(), idleMs).unref();
    while (this.#waiting.length + this.#coming < this.#wanted) {
      this.#coming++;
      startWaiting(this.#parts)
        .then(
          (start) => {
            if (this.#isDisposed) giveUp(start);
            else this.#waiting.push(start);
          },
          () => undefined,
        )
        .finally(() => this.#coming--);
    }
  }

  /** A start that is ready; undefined when there is none for such walls. */
  take(walls: Walls): WaitingStart | undefined {
    const { memoryBytes, processes } = this.#parts.walls;
    if (walls.memoryBytes !== memoryBytes || walls.processes !== processes) return undefined;
    const now = performance.now();
    const isClose = now - this.#takenAt < closeMs;
    this.#takenAt = now;
    const start = this.#takeLiving();
    if (isClose) {
      if (!start) this.#wanted = Math.min(most, this.#wanted + 1);
      setImmediate(() => this.prepare());
    }
    return start;
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    clearTimeout(this.#idle);
    this.#giveUpAll();
  }

  #takeLiving(): WaitingStart | undefined {
    for (let start = this.#waiting.shift(); start; start = this.#waiting.shift()) {
      if (isWaiting(start)) return start;
      giveUp(start);
    }
    return undefined;
  }

  #giveUpAll(): void {
    const starts = this.#waiting;
    this.#waiting = [];
    this.#wanted = 1;
    for (const start of starts) giveUp(start);
  }
}
