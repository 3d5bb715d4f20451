import { readFileSync, readdirSync } from 'node:fs';

/** What all processes of a sandbox use together. */
export interface MemoryUse {
  readonly processes: number;
  readonly bytes: number;
}

const intervalMs = 25;

/**
 * Measures the sandbox whose first process is `pid`, through that process's own /proc, where only the sandbox's
 * processes are. Resident sizes first, because they are cheap and never too small; shared pages are counted once only
 * when that sum is above the limit.
 */
export function measureMemory(pid: number, limitBytes: number): MemoryUse | undefined {
  const proc = `/proc/${pid}/root/proc`;
  const inside = listProcesses(proc);
  if (!inside) return undefined;
  const sum = (bytesOf: (folder: string) => number) =>
    inside.reduce((total, id) => total + bytesOf(`${proc}/${id}`), 0);
  const resident = sum(residentBytes);
  return { processes: inside.length, bytes: resident <= limitBytes ? resident : sum(proportionalBytes) };
}

/** What is watched, and what is done about it. */
export interface MemoryWatch {
  /** The sandbox's first process. */
  readonly pid: number;
  readonly limitBytes: number;
  /** Whether the kernel ended a process already: the rest of a script that lost one is not worth having. */
  readonly isOutOfMemory: () => boolean;
  readonly onExceeded: () => void;
}

/** Calls `onExceeded` once when the sandbox uses more than it may; stop it when the sandbox is gone. */
export class MemoryWatchdog implements Disposable {
  readonly #timer: NodeJS.Timeout;
  #peakBytes = 0;

  constructor({ pid, limitBytes, isOutOfMemory, onExceeded }: MemoryWatch) {
    const look = () => {
      const use = measureMemory(pid, limitBytes);
      if (!use) return;
      this.#peakBytes = Math.max(this.#peakBytes, use.bytes);
      if (use.bytes > limitBytes || isOutOfMemory()) {
        this[Symbol.dispose]();
        onExceeded();
      }
    };
    // Not at once: most scripts are done before the first look, which costs as much as starting a small one.
    this.#timer = setInterval(look, intervalMs);
  }

  get peakBytes(): number {
    return this.#peakBytes;
  }

  [Symbol.dispose](): void {
    clearInterval(this.#timer);
  }
}

function listProcesses(proc: string): string[] | undefined {
  try {
    return readdirSync(proc).filter((name) => /^\d+$/.test(name) && name !== '1');
  } catch {
    return undefined; // Not set up yet, or gone.
  }
}

function residentBytes(folder: string): number {
  return bytesIn(`${folder}/status`, /^VmRSS:\s+(\d+) kB$/m) ?? 0;
}

function proportionalBytes(folder: string): number {
  // A process can make itself unreadable: then all its shared pages count, which is never too little.
  return bytesIn(`${folder}/smaps_rollup`, /^Pss:\s+(\d+) kB$/m) ?? residentBytes(folder);
}

function bytesIn(path: string, line: RegExp): number | undefined {
  try {
    const found = line.exec(readFileSync(path, 'latin1'));
    return found ? Number(found[1]) * 1024 : undefined;
  } catch {
    return undefined; // The process ended between listing and reading, or denies the view.
  }
}
