import { closeSync, writeSync } from 'node:fs';
import { Socket } from 'node:net';
import type { Readable, Writable } from 'node:stream';
import { BubblewrapProcesses } from './bubblewrap-processes.ts';
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
  /** The first process of the sandbox, as the host numbers it; settles before the script is started, or never. */
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
function follow(
  { child, group, contents, status, ...pipes }: WaitingStart,
  request: LaunchRequest,
): Launched {
  const processes = new BubblewrapProcesses(child, status, pipes.stdout.path);
  const streams = child.stdio as unknown as readonly Socket[];
  const output = [pipes.stdout, pipes.stderr].map(({ readEnd, path }) => ({ path, stream: reader(readEnd) }));
  const artifacts = streams[descriptors.artifacts]!;
  const options = streams[descriptors.options]!;
  const gone = new Promise<Gone>((resolve) => {
    child.once('close', () => {
      // Bubblewrap ends as soon as it knows the exit code, and only then are the last processes taken down.
      void processes.untilGone().then(({ isSeen, exitCode }) => {
        resolve({ exitCode, isOutOfMemory: group?.isOutOfMemory() ?? false });
        group?.release();
        if (!isSeen) return;
        for (const { path, stream } of output) whenClosed(stream, () => request.pipes.give(path));
      });
    });
  });
  const firstProcess = new Promise<number>((resolve) => {
    artifacts.once('data', () => {
      void processes.whenHeld().then((first) => {
        if (first === undefined) return;
        resolve(first);
        artifacts.write(encodeWords(request.words));
      });
    });
  });
  child.once('exit', (_code, signal) => {
    // Somebody ended it before anything was told or said: there is nothing to wait for.
    if (signal === null || artifacts.bytesRead > 0) return;
    for (const stream of [artifacts, options, ...output.map(({ stream }) => stream)]) stream.destroy();
  });
  for (const fd of contents) closeSync(fd);
  // A sandbox that ended before it was told everything says why by its status.
  artifacts.on('error', () => artifacts.destroy());
  feed(options, Buffer.from(request.options.map((option) => `${option}\0`).join('')));
  return {
    stdout: output[0]!.stream,
    stderr: output[1]!.stream,
    artifacts,
    gone,
    firstProcess,
    isOutOfMemory: () => group?.isOutOfMemory() ?? false,
    kill: () => processes.kill(),
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
