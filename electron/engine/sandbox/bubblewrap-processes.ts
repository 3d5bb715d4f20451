import type { ChildProcess } from 'node:child_process';
import { closeSync, readFileSync, readSync, readdirSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { startTime } from '../store/process-mark.ts';
import { endWritersTo } from './left-behind.ts';

/** The first process of a sandbox, and when it started: its number may be another's later. */
interface FirstProcess {
  readonly pid: number;
  readonly startTime: string | undefined;
}

/** How long bubblewrap may take to notice that its child is dead before it is ended too. */
const graceMs = 200;

/**
 * The processes of one sandbox, from the moment bubblewrap was told what to build. Whoever ends bubblewrap while it builds
 * leaves its child behind: the kernel ends the one with the other only once the child has asked for that.
 */
export class BubblewrapProcesses {
  readonly #bubblewrap: ChildProcess;
  readonly #status: number;
  #first: FirstProcess | undefined;

  /** `status` is the file that bubblewrap writes its status to, and is closed here in the end; `output` is the pipe that all of them have. */
  constructor(bubblewrap: ChildProcess, status: number, output: string) {
    this.#bubblewrap = bubblewrap;
    this.#status = status;
    bubblewrap.once('exit', (_code, signal) => {
      // Ended by itself it takes its child with it; ended by others it may leave one that it told nobody of.
      if (signal !== null) endWritersTo(output);
    });
  }

  /** The first process, once it dies with bubblewrap whatever happens, and bubblewrap with the studio; undefined when that never comes. */
  async whenHeld(): Promise<number | undefined> {
    while (!this.#isOver) {
      const first = this.#find();
      // Bubblewrap's first process puts itself under the filter right after it asked to die with its parent.
      if (first && /^Seccomp:\t2$/m.test(statusOf(first.pid))) return first.pid;
      await delay(1);
    }
    return undefined;
  }

  /** Ends all of them at once. */
  kill(): void {
    if (this.#isOver) return;
    const first = this.#find();
    if (!first) return void this.#end();
    // The namespace's first process takes all others with it, and bubblewrap then ends by itself.
    endProcess(first);
    const timer = setTimeout(() => void this.#end(), graceMs);
    this.#bubblewrap.once('exit', () => clearTimeout(timer));
  }

  /** Waits until none is left, when bubblewrap itself is gone. `isSeen` is false where nobody saw the first: some may still be about to end. */
  async untilGone(): Promise<{ readonly isSeen: boolean; readonly exitCode: number | undefined }> {
    const { 'exit-code': exitCode } = this.#readStatus();
    closeSync(this.#status);
    const first = this.#first;
    if (first?.startTime === undefined) return { isSeen: false, exitCode };
    while (startTime(first.pid) === first.startTime) await delay(1);
    return { isSeen: true, exitCode };
  }

  /** Whether bubblewrap itself has ended. */
  get #isOver(): boolean {
    const { exitCode, signalCode } = this.#bubblewrap;
    return exitCode !== null || signalCode !== null;
  }

  /** Nobody knows yet what it has started: halted it starts no more, and what it has started can be found. */
  async #end(): Promise<void> {
    const { pid } = this.#bubblewrap;
    while (!this.#isOver && pid !== undefined) {
      this.#bubblewrap.kill('SIGSTOP');
      if (/^State:\tT/m.test(statusOf(pid))) {
        for (const child of childrenOf(pid)) {
          this.#first ??= { pid: child, startTime: startTime(child) };
          endProcess({ pid: child, startTime: startTime(child) });
        }
        this.#bubblewrap.kill('SIGKILL');
        return;
      }
      await delay(1);
    }
  }

  /** The first process, as far as bubblewrap has told and it is still its child. */
  #find(): FirstProcess | undefined {
    const pid = this.#first?.pid ?? this.#readStatus()['child-pid'];
    if (pid === undefined || !isChildOf(pid, this.#bubblewrap.pid)) return undefined;
    return (this.#first ??= { pid, startTime: startTime(pid) });
  }

  #readStatus(): { 'child-pid'?: number; 'exit-code'?: number } {
    const bytes = Buffer.alloc(2048);
    const lines = bytes.toString('latin1', 0, readSync(this.#status, bytes, 0, bytes.length, 0)).split('\n');
    // What comes after the last line end is still being written.
    return Object.assign({}, ...lines.slice(0, -1).map((line) => JSON.parse(line) as object)) as object;
  }
}

function endProcess({ pid, startTime: since }: FirstProcess): void {
  if (startTime(pid) !== since) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    // It ended by itself just now, and bubblewrap is about to say so.
  }
}

/** Guards against a number that meanwhile belongs to somebody else's process. */
function isChildOf(pid: number, parent: number | undefined): boolean {
  return statusOf(pid).includes(`\nPPid:\t${parent}\n`);
}

function childrenOf(parent: number): number[] {
  const all = readdirSync('/proc').filter((name) => /^\d+$/.test(name));
  return all.map(Number).filter((pid) => isChildOf(pid, parent));
}

function statusOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1');
  } catch {
    return ''; // It is gone.
  }
}
