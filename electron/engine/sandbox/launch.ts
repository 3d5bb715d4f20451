import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, readFileSync } from 'node:fs';
import { Socket } from 'node:net';
import { setPriority } from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import type { Readable, Writable } from 'node:stream';
import { isMainThread } from 'node:worker_threads';
import { StudioError } from '#shared/errors.ts';
import type { ControlGroup } from './cgroup/control-groups.ts';
import { holdAll, type Unheld } from './cgroup/hold-all.ts';
import type { Identity } from './identity.ts';
import { goLine } from './init.ts';
import type { PipePool } from './pipes.ts';
import { startTime } from '../store/process-mark.ts';

/** Descriptors that bubblewrap is started with; the placed files come after these. */
export const descriptors = { artifacts: 3, status: 4, seccomp: 5, options: 6, firstPlaced: 7 } as const;

/** A start of bubblewrap: which one, as whom, with what. */
export interface LaunchRequest {
  readonly bwrap: string;
  readonly identity: Identity;
  readonly pipes: PipePool;
  /** Options without the command; they go through a descriptor, because a script can read its ancestors' command lines. */
  readonly options: readonly string[];
  readonly command: readonly string[];
  readonly seccomp: Uint8Array;
  /** Contents of the placed files, in the order of their descriptors. */
  readonly placed: readonly Uint8Array[];
  /** Makes the kernel's own hold on the sandbox, where there is one. */
  readonly makeGroup?: () => ControlGroup;
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
  readonly failure: string | undefined;
  readonly isOutOfMemory: boolean;
}

/** How long bubblewrap may take to notice that its child is dead before it is killed too. */
const graceMs = 200;

/** Scripts yield to the studio and to everything else that runs at the usual priority. */
const scriptPriority = 5;

/** Starts bubblewrap. Only from the main thread: the sandbox dies with the thread that started it. */
export async function launch(request: LaunchRequest): Promise<Launched> {
  if (!isMainThread) throw new Error('A sandbox can only be started from the main thread');
  const out = await request.pipes.take();
  const error = await request.pipes.take();
  let child: ChildProcess;
  let group: ControlGroup | undefined;
  try {
    group = request.makeGroup?.();
    child = spawnBubblewrap(request, out.writeEnd, error.writeEnd);
  } catch (cause) {
    for (const { readEnd } of [out, error]) closeSync(readEnd);
    group?.remove();
    throw unstartable(cause as Error);
  } finally {
    for (const { writeEnd } of [out, error]) closeSync(writeEnd);
  }
  const status = new StatusReader();
  const streams = child.stdio as unknown as readonly (Readable & Writable)[];
  const end = () => kill(child, status.first?.pid);
  let failure: string | undefined;
  const settled = new Promise<Gone>((resolve) => {
    const settle = (gone: Omit<Gone, 'isOutOfMemory'>) => {
      resolve({ ...gone, isOutOfMemory: group?.isOutOfMemory() ?? false });
      group?.remove();
    };
    child.once('error', (cause) => settle({ exitCode: undefined, failure: cause.message }));
    child.once('close', () => {
      // Bubblewrap ends as soon as it knows the exit code, and only then are the last processes taken down.
      void untilGone(status.first).then(() => settle({ exitCode: status.exitCode, failure }));
    });
  });
  if (child.pid !== undefined) {
    lowerPriority(child.pid);
    streams[descriptors.status]!.on('data', (bytes: Buffer) => status.push(bytes));
    feed(streams[descriptors.seccomp]!, request.seccomp);
    feed(streams[descriptors.options]!, Buffer.from(request.options.map((option) => `${option}\0`).join('')));
    for (const [i, content] of request.placed.entries()) feed(streams[descriptors.firstPlaced + i]!, content);
    letGo(
      streams[descriptors.artifacts]!,
      group && { group, bubblewrap: child.pid, firstProcess: status.whenStarted },
    ).catch((cause: Error) => {
      failure = cause.message;
      end();
    });
  }
  return {
    stdout: new Socket({ fd: out.readEnd, readable: true, writable: false }),
    stderr: new Socket({ fd: error.readEnd, readable: true, writable: false }),
    artifacts: streams[descriptors.artifacts]!,
    gone: settled,
    firstProcess: status.whenStarted,
    isOutOfMemory: () => group?.isOutOfMemory() ?? false,
    kill: end,
  };
}

function spawnBubblewrap(
  { bwrap, identity, command, placed }: LaunchRequest,
  out: number,
  error: number,
): ChildProcess {
  const pipe = 'pipe' as const;
  return spawn(bwrap, ['--args', String(descriptors.options), '--', ...command], {
    // A script can read the environment its ancestors were started with, so there is none.
    env: {},
    cwd: '/',
    stdio: ['ignore', out, error, pipe, pipe, pipe, pipe, ...placed.map(() => pipe)],
    ...(identity.isDropped && { uid: identity.uid, gid: identity.gid }),
  });
}

function unstartable({ message }: Error): StudioError {
  return new StudioError('sandbox.unavailable', `Cannot start the sandbox: ${message}`, { said: message });
}

/** Lets init start the script, where there is a group not before that holds everything. */
async function letGo(
  artifacts: Readable & Writable,
  unheld: (Omit<Unheld, 'isReady'> & { readonly group: ControlGroup }) | undefined,
): Promise<void> {
  // A sandbox that ended before it was told to go on says why by its status.
  artifacts.on('error', () => artifacts.destroy());
  if (unheld) await holdAll(unheld.group, { ...unheld, isReady: once(artifacts, 'data') });
  artifacts.write(goLine);
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, scriptPriority);
  } catch {
    // It ended already; its status says why.
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

/** The first process of a namespace is gone only when all others are. */
async function untilGone(first: FirstProcess | undefined): Promise<void> {
  if (first?.startTime === undefined) return;
  while (startTime(first.pid) === first.startTime) await delay(1);
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
