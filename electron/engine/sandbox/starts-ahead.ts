import type { Walls } from './cgroup/control-groups.ts';
import { giveUp, isWaiting, startWaiting, type StartParts, type WaitingStart } from './waiting-start.ts';

export interface StartsAheadParts extends StartParts {
  /** The walls of the groups it makes; a script that needs others is started from nothing. */
  readonly walls: Walls;
}

/** In a run with many scripts so many are started together, whenever no more than `few` are left. */
const together = 4;
const few = 2;
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
  #isMany = false;
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
    const ahead = this.#waiting.length + this.#coming;
    if (this.#isMany ? ahead <= few : ahead === 0) this.#start(this.#isMany ? together : 1);
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
      this.#isMany ||= !start;
      setImmediate(() => this.prepare());
    }
    return start;
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    clearTimeout(this.#idle);
    this.#giveUpAll();
  }

  #start(count: number): void {
    this.#coming += count;
    startWaiting(this.#parts, count)
      .then(
        (starts) => {
          if (this.#isDisposed) for (const start of starts) giveUp(start);
          else this.#waiting.push(...starts);
        },
        () => undefined,
      )
      .finally(() => (this.#coming -= count));
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
    this.#isMany = false;
    for (const start of starts) giveUp(start);
  }
}
