import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, mkdirSync, openSync, readSync, rmdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fixedLimits, type Limits } from '../limits.ts';

/** What the kernel holds all processes of a sandbox to, together. */
export interface Walls {
  readonly memoryBytes: number;
  readonly processes: number;
}

/** The kernel's hold on one sandbox after another. */
export interface ControlGroup {
  /** The files through which a process enters, with all that it starts from then on. */
  readonly doors: readonly string[];
  /** Whether the kernel ended a process of the group because there was no memory left for it. */
  isOutOfMemory(): boolean;
  /** Gives the group back when its processes are gone, for the next with such walls. */
  release(): void;
}

/** One folder of the kernel's tree in which groups are made, and what is written into each. */
export interface Hierarchy {
  readonly folder: string;
  readonly settings: (walls: Walls) => readonly Setting[];
}

export interface Setting {
  readonly file: string;
  readonly value: number;
  /** The kernel may be built without it. */
  readonly isOptional?: boolean;
}

/** Where groups can be made on this machine; whether they hold is for a probe to say. */
export interface ControlGroupPlace {
  readonly version: 'cgroup v1' | 'cgroup v2';
  readonly hierarchies: readonly Hierarchy[];
  /** Counts what the kernel ended, in a line "oom_kill n"; within the first hierarchy. */
  readonly eventFile: string;
}

/** Above the limits that a script is told: it meets those first, and they mean the same on every machine. */
export function wallsAbove({ memoryBytes, processes, artifactBytes }: Limits): Walls {
  const { tmpBytes, sharedMemoryBytes, dataMarginBytes, initProcesses } = fixedLimits;
  return {
    memoryBytes: memoryBytes + dataMarginBytes + tmpBytes + sharedMemoryBytes + artifactBytes,
    processes: processes + initProcesses + bubblewrapProcesses,
  };
}

/** The keeper, bubblewrap outside and inside, init, and one to spare for the moment in which one replaces another. */
const bubblewrapProcesses = 5;

/** How often a group is tried to be removed while its last process is being taken down. */
const removals = { count: 40, everyMs: 25 };

/** Makes groups in one place, under names by which a later studio knows that they were left behind. */
export class ControlGroups implements Disposable {
  readonly place: ControlGroupPlace;
  readonly #prefix: string;
  /** The folders of groups that nobody uses, by their walls. */
  readonly #free = new Map<string, (readonly string[])[]>();
  #isDisposed = false;

  constructor(place: ControlGroupPlace, prefix: string) {
    this.place = place;
    this.#prefix = prefix;
  }

  /** A group without processes. Throws when the kernel does not take a wall: a sandbox that counts on one does not start without it. */
  take(walls: Walls): ControlGroup {
    const name = JSON.stringify([walls.memoryBytes, walls.processes]);
    const made = this.#free.get(name)?.pop() ?? this.#make(walls);
    const events = this.#openEvents(made);
    let atRelease: boolean | undefined;
    const isOutOfMemory = () => atRelease ?? countOutOfMemory(events) > 0;
    return {
      doors: made.map((folder) => join(folder, 'cgroup.procs')),
      isOutOfMemory,
      release: () => {
        // A group that was removed with all the others tells nothing any more.
        atRelease = !this.#isDisposed && isOutOfMemory();
        closeSync(events);
        // The kernel's count cannot be set back.
        if (this.#isDisposed || atRelease) return removeSoon(made);
        this.#free.set(name, [...(this.#free.get(name) ?? []), made]);
      },
    };
  }

  [Symbol.dispose](): void {
    this.#isDisposed = true;
    for (const made of [...this.#free.values()].flat()) removeSoon(made);
    this.#free.clear();
  }

  #openEvents(made: readonly string[]): number {
    try {
      return openSync(join(made[0]!, this.place.eventFile), 'r');
    } catch (error) {
      removeSoon(made);
      throw error;
    }
  }

  #make(walls: Walls): readonly string[] {
    const name = `${this.#prefix}-${randomBytes(6).toString('hex')}`;
    const folders = this.place.hierarchies.map(({ folder }) => join(folder, name));
    try {
      for (const [i, { settings }] of this.place.hierarchies.entries()) {
        mkdirSync(folders[i]!);
        for (const setting of settings(walls)) set(folders[i]!, setting);
      }
    } catch (error) {
      removeSoon(folders);
      throw error;
    }
    return folders;
  }
}

function set(folder: string, { file, value, isOptional = false }: Setting): void {
  try {
    // Never made by us: where the kernel has no such file, a new one would be a wall of paper.
    writeFileSync(join(folder, file), String(value), { flag: 'r+' });
  } catch (error) {
    if (!isOptional || (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The kernel writes the file anew for whoever reads it from its beginning: to open it each time takes four calls more. */
function countOutOfMemory(events: number): number {
  const bytes = Buffer.alloc(1024);
  const length = readSync(events, bytes, 0, bytes.length, 0);
  return Number(/^oom_kill (\d+)$/m.exec(bytes.toString('latin1', 0, length))?.[1] ?? 0);
}

function removeSoon(folders: readonly string[], triesLeft = removals.count): void {
  const left = folders.filter((folder) => !removeGroup(folder));
  if (left.length === 0 || triesLeft === 0) return; // What is left then is swept at the next start.
  setTimeout(() => removeSoon(left, triesLeft - 1), removals.everyMs).unref();
}

/** Whether the group is gone now. */
export function removeGroup(folder: string): boolean {
  // Most are looked at once more when they were removed with all the others, and an error takes longer than a look.
  if (!existsSync(folder)) return true;
  try {
    rmdirSync(folder);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT';
  }
}
