import type { ControlGroup, Walls } from './cgroup/control-groups.ts';
import { Keeper, type KeeperParts } from './keeper.ts';

export interface KeepersParts extends KeeperParts {
  /** Makes the kernel's own hold on what a keeper starts, where there is one. */
  readonly makeGroup?: ((walls: Walls) => ControlGroup) | undefined;
}

/** How long keepers without work are kept. */
const idleMs = 5000;

/**
 * The keepers of a studio. To fork the studio and to enter a control group takes longer than all the rest of a start, so a
 * keeper that is free starts the next sandbox with the same walls.
 */
export class Keepers implements Disposable {
  readonly #parts: KeepersParts;
  /** Those without work, by their walls; some may not have started yet. */
  readonly #free = new Map<string, Promise<Keeper>[]>();
  readonly #all = new Set<Keeper>();
  #idle: NodeJS.Timeout | undefined;
  #isDisposed = false;

  constructor(parts: KeepersParts) {
    this.#parts = parts;
  }

  /** The program that every keeper is. */
  get program(): string {
    return this.#parts.program;
  }

  /** Lets some be there when the first scripts come; a failure is told to the script that has to start one itself. */
  prepare(walls: Walls, count: number): void {
    const free = this.#freeWith(walls);
    if (free.length >= count || this.#isDisposed) return;
    for (const starting of this.#start(count - free.length, this.#groupWith(walls))) {
      starting.catch(() => free.splice(free.indexOf(starting), 1));
      free.push(starting);
    }
    this.#restartIdleTime();
  }

  /** One that has nothing to do. */
  async take(walls: Walls): Promise<Keeper> {
    const free = this.#freeWith(walls);
    for (let next = free.pop(); next; next = free.pop()) {
      const keeper = await next.catch(() => undefined);
      if (keeper?.isFree) return keeper;
      if (keeper) this.close(keeper);
    }
    return this.#start(1, this.#groupWith(walls))[0]!;
  }

  /** One in a group of its own; whoever takes it closes it. */
  async takeIn(makeGroup: () => ControlGroup): Promise<Keeper> {
    return this.#start(1, makeGroup)[0]!;
  }

  /** Takes one back that was taken for these walls, and in whose group the kernel ended nobody: that would count for ever. */
  give(keeper: Keeper, walls: Walls): void {
    if (this.#isDisposed || !keeper.isFree) return this.close(keeper);
    this.#freeWith(walls).push(Promise.resolve(keeper));
    this.#restartIdleTime();
  }

  /** Ends all of them, and what they run. */
  [Symbol.dispose](): void {
    this.#isDisposed = true;
    clearTimeout(this.#idle);
    this.#free.clear();
    for (const keeper of this.#all) keeper.close();
    this.#all.clear();
  }

  #start(count: number, makeGroup: (() => ControlGroup) | undefined): Promise<Keeper>[] {
    return Keeper.start(this.#parts, count, makeGroup).map(async (starting) => {
      const keeper = await starting;
      if (this.#isDisposed) keeper.close();
      else this.#all.add(keeper);
      return keeper;
    });
  }

  /** Ends one that was taken. */
  close(keeper: Keeper): void {
    this.#all.delete(keeper);
    keeper.close();
  }

  #freeWith({ memoryBytes, processes }: Walls): Promise<Keeper>[] {
    const name = `${memoryBytes} ${processes}`;
    const known = this.#free.get(name);
    if (known) return known;
    const free: Promise<Keeper>[] = [];
    this.#free.set(name, free);
    return free;
  }

  #groupWith(walls: Walls): (() => ControlGroup) | undefined {
    const { makeGroup } = this.#parts;
    return makeGroup && (() => makeGroup(walls));
  }

  #restartIdleTime(): void {
    clearTimeout(this.#idle);
    this.#idle = setTimeout(() => this.#closeFree(), idleMs).unref();
  }

  #closeFree(): void {
    for (const starting of [...this.#free.values()].flat())
      void starting.then((keeper) => this.close(keeper)).catch(() => undefined);
    this.#free.clear();
  }
}
