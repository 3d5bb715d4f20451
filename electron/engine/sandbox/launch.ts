import type { ChildProcess } from 'node:child_process';
import { closeSync, readFileSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import { startTime } from '../store/process-mark.ts';
import type { Walls } from './cgroup/control-groups.ts';
import { encodeWords } from './init.ts';
import type { StartsAhead } from './starts-ahead.ts';
import {
  descriptors,
  giveUp,
  isWaiting,
  placedFiles,
  startWaiting,
  unstartable,
  type StartParts,
  type WaitingStart,
} from './waiting-start.ts';

/** A start of bubblewrap: which one, as whom, with what. */
export interface LaunchRequest extends StartParts {
  /** Options without the command; they go through a descriptor, because a script can read its ancestors' command lines. */
  readonly options: readonly string[];
  /** What the command is told once it runs. */
  readonly words: readonly string[];
  readonly seccomp: Uint8Array;
  /** Contents of the placed files, in the order of their descriptors. */
  readonly placed: readonly Uint8Array[];
  /** Starts of the same bubblewrap and command that may be ready, and the walls that this one needs. */
  readonly ahead?: { readonly starts: StartsAhead; readonly walls: Walls };
}

/** A running sandbox. `gone` settles when no process of it is left. */
export interface Launched {
  readonly stdout: Readable;
  readonly stderr: Readable;
  readonly artifacts: Readable;
  readonly gone: Promise<Gone>;
  /** The first process of the sandbox, as the host numbers it; settles before anything in the sandbox runs, or never. */
  readonly firstProcess: Promise<number>;
  /** Whether the kernel ended a process of the sandbox for want of memory; never, where it holds none. */
  readonly isOutOfMemory: () => boolean;
  /** Ends every process of the sandbox at once. */
  readonly kill: () => void;
}

export interface Gone {
  /** Exit code that bubblewrap reported of the command; undefined means that the command did not end by itself. */
  readonly exitCode: number | undefined;
  /** What bubblewrap itself had to say, such as why it could not start. */
  readonly failure?: string | undefined;
  readonly isOutOfMemory: boolean;
}

/** How long bubblewrap may take to notice that its child is dead before it is killed too. */
const graceMs = 200;

/** Starts a sandbox, or goes on with a start that is ready. */
export async function launch(request: LaunchRequest): Promise<Launched> {
  if (request.placed.length > placedFiles)
    throw new Error(`A sandbox takes at most ${placedFiles} placed files`);
  const { ahead } = request;
  const start = ahead?.starts.take(ahead.walls) ?? (await startWaiting(request));
  try {
    // Bubblewrap builds nothing before it is held: what it starts then is held from its first moment.
    await start.held;
    if (!isWaiting(start)) throw new Error('bubblewrap ended before it was told what to build');
    fill(start.contents, [request.seccomp, ...request.placed]);
  } catch (cause) {
    giveUp(start);
    throw unstartable(cause as Error);
  }
  return follow(start, request);
}

/** Tells a waiting bubblewrap what to build and watches it. */
function follow({ child, group, contents, ...pipes }: WaitingStart, request: LaunchRequest): Launched {
  const status = new StatusReader();
  const streams = child.stdio as unknown as readonly (Readable & Writable)[];
  const output = [pipes.stdout, pipes.stderr].map(({ readEnd, path }) => ({ path, stream: reader(readEnd) }));
  const gone = new Promise<Gone>((resolve) => {
    child.once('close', () => {
      // Bubblewrap ends as soon as it knows the exit code, and only then are the last processes taken down.
      void untilGone(status.first).then((isSeen) => {
        resolve({ exitCode: status.exitCode, isOutOfMemory: group?.isOutOfMemory() ?? false });
        group?.release();
        if (!isSeen) return;
        for (const { path, stream } of output) whenClosed(stream, () => request.pipes.give(path));
      });
    });
  });
  streams[descriptors.status]!.on('data', (bytes: Buffer) => status.push(bytes));
  for (const fd of contents) closeSync(fd);
  // A sandbox that ended before it was told everything says why by its status.
  const artifacts = streams[descriptors.artifacts]!;
  artifacts.on('error', () => artifacts.destroy());
  artifacts.write(encodeWords(request.words));
  feed(streams[descriptors.options]!, Buffer.from(request.options.map((option) => `${option}\0`).join('')));
  return {
    stdout: output[0]!.stream,
    stderr: output[1]!.stream,
    artifacts,
    gone,
    firstProcess: status.whenStarted,
    isOutOfMemory: () => group?.isOutOfMemory() ?? false,
    kill: () => kill(child, status.first?.pid),
  };
}

function reader(fd: number): Socket {
  return new Socket({ fd, readable: true, writable: false });
}

function whenClosed(stream: Socket, then: () => void): void {
  if (stream.closed) then();
  else stream.once('close', then);
}

/** Writes what bubblewrap will read, without moving the place from which it reads: the descriptor is the same. */
function fill(files: readonly number[], contents: readonly Uint8Array[]): void {
  for (const [i, content] of contents.entries()) {
    for (let at = 0; at < content.length;) at += writeSync(files[i]!, content, at, content.length - at, at);
  }
}

function feed(stream: Writable, content: Uint8Array): void {
  // Bubblewrap may have given up before it read this; why is told by its status and its messages.
  stream.on('error', () => stream.destroy());
  stream.end(content);
}

/** The namespace's first process takes all others with it; bubblewrap itself is only the second choice, because nobody then says when they are gone. */
function kill(child: ChildProcess, first: number | undefined): void {
  if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return;
  if (first === undefined || !isChildOf(first, child.pid)) {
    child.kill('SIGKILL');
    return;
  }
  try {
    process.kill(first, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    // It ended by itself just now, and bubblewrap is about to say so.
  }
  const timer = setTimeout(() => child.kill('SIGKILL'), graceMs);
  child.once('exit', () => clearTimeout(timer));
}

/** Guards against a number that meanwhile belongs to somebody else's process. */
function isChildOf(pid: number, parent: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1').includes(`\nPPid:\t${parent}\n`);
  } catch {
    return false;
  }
}

/** The first process of a sandbox, and when it started: its number may be another's later. */
interface FirstProcess {
  readonly pid: number;
  readonly startTime: string | undefined;
}

/** The first process of a namespace is gone only when all others are. False where nobody saw it: some may still be about to end. */
async function untilGone(first: FirstProcess | undefined): Promise<boolean> {
  if (first?.startTime === undefined) return false;
  while (startTime(first.pid) === first.startTime) await delay(1);
  return true;
}

/** Reads bubblewrap's status lines. */
class StatusReader {
  first: FirstProcess | undefined;
  exitCode: number | undefined;
  readonly whenStarted: Promise<number>;
  #started!: (pid: number) => void;
  #rest = '';

  constructor() {
    this.whenStarted = new Promise((resolve) => (this.#started = resolve));
  }

  push(bytes: Buffer): void {
    const lines = (this.#rest + bytes.toString('latin1')).split('\n');
    this.#rest = lines.pop()!;
    for (const line of lines) {
      const status = JSON.parse(line) as { 'child-pid'?: number; 'exit-code'?: number };
      const pid = status['child-pid'];
      if (pid !== undefined) {
        this.first = { pid, startTime: startTime(pid) };
        this.#started(pid);
      }
      this.exitCode ??= status['exit-code'];
    }
  }
}
