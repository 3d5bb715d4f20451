import { closeSync } from 'node:fs';
import { setPriority } from 'node:os';
import { isMainThread } from 'node:worker_threads';
import { StudioError } from '#shared/errors.ts';
import {
  placedFiles,
  spawnBubblewrap,
  spawnTogether,
  type BubblewrapProcess,
  type BubblewrapProgram,
} from './bubblewrap-process.ts';
import type { ControlGroup } from './cgroup/control-groups.ts';
import type { Pipe, PipePool } from './pipes.ts';

/** What a start of bubblewrap needs before anything is known about the script. */
export interface StartParts extends BubblewrapProgram {
  readonly pipes: PipePool;
  /** Makes the kernel's own hold on the sandbox, where there is one. */
  readonly makeGroup?: () => ControlGroup;
}

/** A bubblewrap that waits to be told what to build; it has built nothing yet. */
export interface WaitingStart {
  readonly bubblewrap: BubblewrapProcess;
  /** Its output, with read ends for the taker to close. */
  readonly stdout: Pipe;
  readonly stderr: Pipe;
  /** Empty files that it reads when it was told what to build: the filter, then what is placed; for the taker to close. */
  readonly contents: readonly number[];
  readonly group: ControlGroup | undefined;
  /** Settles when the group holds it, and with it all that it will start. */
  readonly held: Promise<void>;
}

/** Scripts yield to the studio and to everything else that runs at the usual priority. */
const scriptPriority = 5;

/** Starts bubblewrap, as often as wanted. Only from the main thread: the sandbox dies with the thread that started it. */
export async function startWaiting(parts: StartParts, count = 1): Promise<WaitingStart[]> {
  if (!isMainThread) throw new Error('A sandbox can only be started from the main thread');
  const opened: Opened[] = [];
  try {
    for (let i = 0; i < count; i++) opened.push(await open(parts));
    const given = opened.map(({ stdout, stderr, contents }) => ({
      out: stdout.writeEnd,
      error: stderr.writeEnd,
      contents,
    }));
    const started =
      count === 1 ? [await spawnBubblewrap(parts, given[0]!)] : await spawnTogether(parts, given);
    return started.map((bubblewrap, i) => hold(bubblewrap, opened[i]!));
  } catch (cause) {
    for (const { stdout, stderr, contents, group } of opened) {
      for (const fd of [stdout.readEnd, stderr.readEnd, ...contents]) closeSync(fd);
      group?.release();
    }
    throw unstartable(cause as Error);
  } finally {
    for (const { stdout, stderr } of opened)
      for (const fd of [stdout.writeEnd, stderr.writeEnd]) closeSync(fd);
  }
}

/** Everything of a start but its process. */
type Opened = Pick<WaitingStart, 'stdout' | 'stderr' | 'contents' | 'group'>;

async function open({ pipes, makeGroup }: StartParts): Promise<Opened> {
  const stdout = await pipes.take();
  const stderr = await pipes.take();
  const contents: number[] = [];
  try {
    for (let i = 0; i < 1 + placedFiles; i++) contents.push(pipes.file());
    return { stdout, stderr, contents, group: makeGroup?.() };
  } catch (error) {
    for (const { readEnd, writeEnd } of [stdout, stderr]) for (const fd of [readEnd, writeEnd]) closeSync(fd);
    for (const fd of contents) closeSync(fd);
    throw error;
  }
}

function hold(bubblewrap: BubblewrapProcess, opened: Opened): WaitingStart {
  lowerPriority(bubblewrap.pid);
  const held = opened.group?.add(bubblewrap.pid) ?? Promise.resolve();
  // Looked at when it is needed; until then a refusal is nobody's unhandled error.
  held.catch(() => undefined);
  return { ...opened, bubblewrap, held };
}

/** Whether it still waits. */
export function isWaiting({ bubblewrap }: WaitingStart): boolean {
  return bubblewrap.isAlive();
}

/** Ends a start that nobody needs any more. */
export function giveUp(start: WaitingStart): void {
  const { bubblewrap, stdout, stderr, contents, group } = start;
  if (isWaiting(start)) void bubblewrap.ended.then(() => group?.release());
  else group?.release();
  bubblewrap.kill();
  for (const stream of [bubblewrap.artifacts, bubblewrap.status, bubblewrap.options]) stream.destroy();
  for (const fd of [stdout.readEnd, stderr.readEnd, ...contents]) closeSync(fd);
}

export function unstartable({ message }: Error): StudioError {
  return new StudioError('sandbox.unavailable', `Cannot start the sandbox: ${message}`, { said: message });
}

function lowerPriority(pid: number): void {
  try {
    setPriority(pid, scriptPriority);
  } catch {
    // It ended already; its status says why.
  }
}
