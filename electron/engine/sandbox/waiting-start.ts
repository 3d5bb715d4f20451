import { spawn, type ChildProcess } from 'node:child_process';
import { closeSync } from 'node:fs';
import { setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { StudioError } from '#shared/errors.ts';
import type { ControlGroup } from './cgroup/control-groups.ts';
import type { Identity } from './identity.ts';
import type { Pipe, PipePool } from './pipes.ts';

/** Descriptors that bubblewrap is started with; the placed files come after these. */
export const descriptors = { artifacts: 3, status: 4, seccomp: 5, options: 6, firstPlaced: 7 } as const;

/** Files that can be placed: the input, and the script where it is none of the skill's files. */
export const placedFiles = 2;

/** What a start of bubblewrap needs before anything is known about the script. */
export interface StartParts {
  readonly bwrap: string;
  readonly identity: Identity;
  readonly pipes: PipePool;
  /** What it starts in the sandbox. */
  readonly command: readonly string[];
  /** Makes the kernel's own hold on the sandbox, where there is one. */
  readonly makeGroup?: () => ControlGroup;
}

/** A bubblewrap that waits to be told what to build; it has built nothing yet. */
export interface WaitingStart {
  readonly child: ChildProcess;
  /** Its output, with read ends for the taker to close. */
  readonly stdout: Pipe;
  readonly stderr: Pipe;
  /** Empty files that it reads when it was told what to build: the filter, then what is placed; for the taker to close. */
  readonly contents: readonly number[];
  /**
   * What it writes about itself, for the taker to close. A file, because it would die of writing to a studio that is gone, and
   * its child would wait for it for ever.
   */
  readonly status: number;
  readonly group: ControlGroup | undefined;
  /** Settles when the group holds it, and with it all that it will start. */
  readonly held: Promise<void>;
}

/** Scripts yield to the studio and to everything else that runs at the usual priority. */
const scriptPriority = 5;

/** Starts bubblewrap. Only from the main thread: the sandbox dies with the thread that started it. */
export async function startWaiting(parts: StartParts): Promise<WaitingStart> {
  if (!isMainThread) throw new Error('A sandbox can only be started from the main thread');
  const out = await parts.pipes.take();
  const error = await parts.pipes.take();
  const files: number[] = [];
  let group: ControlGroup | undefined;
  try {
    for (let i = 0; i < 2 + placedFiles; i++) files.push(parts.pipes.file());
    const [status = -1, ...contents] = files;
    group = parts.makeGroup?.();
    const child = spawnBubblewrap(parts, { out: out.writeEnd, error: error.writeEnd, status, contents });
    const { pid } = child;
    const failed = new Promise<Error>((resolve) => child.on('error', resolve));
    if (pid === undefined) throw await failed;
    lowerPriority(pid);
    const held = group?.add(pid) ?? Promise.resolve();
    // Looked at when it is needed; until then a refusal is nobody's unhandled error.
    held.catch(() => undefined);
    return { child, stdout: out, stderr: error, contents, status, group, held };
  } catch (cause) {
    for (const fd of [out.readEnd, error.readEnd, ...files]) closeSync(fd);
    group?.release();
    throw unstartable(cause as Error);
  } finally {
    for (const { writeEnd } of [out, error]) closeSync(writeEnd);
  }
}

/** Whether it still waits. */
export function isWaiting({ child }: WaitingStart): boolean {
  return child.exitCode === null && child.signalCode === null;
}

/** Ends a start that nobody needs any more; it was told nothing yet and has no child to leave behind. */
export function giveUp(start: WaitingStart): void {
  const { child, stdout, stderr, contents, status, group } = start;
  if (isWaiting(start)) child.once('exit', () => group?.release());
  else group?.release();
  child.kill('SIGKILL');
  for (const stream of child.stdio) stream?.destroy();
  for (const fd of [stdout.readEnd, stderr.readEnd, ...contents, status]) closeSync(fd);
}

export function unstartable({ message }: Error): StudioError {
  return new StudioError('sandbox.unavailable', `Cannot start the sandbox: ${message}`, { said: message });
}

function spawnBubblewrap(
  { bwrap, identity, command }: StartParts,
  given: Pick<WaitingStart, 'status' | 'contents'> & { readonly out: number; readonly error: number },
): ChildProcess {
  const pipe = 'pipe' as const;
  const [filter, ...placed] = given.contents;
  return spawn(bwrap, ['--args', String(descriptors.options), '--', ...command], {
    // A script can read the environment its ancestors were started with, so there is none.
    env: {},
    cwd: '/',
    stdio: ['ignore', given.out, given.error, pipe, given.status, filter, pipe, ...placed],
    ...(identity.isDropped && { uid: identity.uid, gid: identity.gid }),
  });
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, scriptPriority);
  } catch {
    // It ended already; its status says why.
  }
}
