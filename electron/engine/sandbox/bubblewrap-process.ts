import { spawn, type ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import type { Identity } from './identity.ts';

/** Descriptors that bubblewrap is started with; the placed files come after these. */
export const descriptors = { artifacts: 3, status: 4, seccomp: 5, options: 6, firstPlaced: 7 } as const;

/** Files that can be placed: the input, and the script where it is none of the skill's files. */
export const placedFiles = 2;

/** Which program to start, as whom, and what that starts in the sandbox. */
export interface BubblewrapProgram {
  readonly bwrap: string;
  readonly identity: Identity;
  readonly command: readonly string[];
}

/** What one bubblewrap is given by descriptor: where its output goes, its filter, and the files to place. */
export interface GivenDescriptors {
  readonly out: number;
  readonly error: number;
  readonly contents: readonly number[];
}

/** A bubblewrap that was started, however it was. */
export interface BubblewrapProcess {
  readonly pid: number;
  readonly artifacts: Readable & Writable;
  readonly status: Readable;
  readonly options: Writable;
  /** Settles when it has ended. */
  readonly ended: Promise<void>;
  /** Whether it still runs, and would die with the studio. */
  isAlive(): boolean;
  /** Ends it, if it still runs. */
  kill(): void;
}

/** Starts one bubblewrap, which waits for its options. */
export async function spawnBubblewrap(
  program: BubblewrapProgram,
  { out, error, contents: [filter, ...placed] }: GivenDescriptors,
): Promise<BubblewrapProcess> {
  const [bwrap = '', ...args] = argvOf(program);
  const child = spawn(bwrap, args, {
    ...optionsFor(program.identity),
    stdio: ['ignore', out, error, 'pipe', 'pipe', filter, 'pipe', ...placed],
  });
  const pid = await pidOf(child);
  const streams = streamsOf(child);
  return {
    pid,
    artifacts: streams[descriptors.artifacts]!,
    status: streams[descriptors.status]!,
    options: streams[descriptors.options]!,
    ended: new Promise((resolve) => child.once('close', () => resolve())),
    isAlive: () => isRunning(child),
    kill: () => void child.kill('SIGKILL'),
  };
}

/** Where it is told of the studio's end, and says what it started. */
const control = 9;
/** Descriptors of one bubblewrap: out, error, artifacts, status, filter, options, placed files. */
const perStart = 6 + placedFiles;

/**
 * Forks what a large Node process would take milliseconds for. Under job control, because what a shell starts behind it
 * otherwise ignores interrupts for ever, the script too; with an empty environment, because a script can read it.
 */
const forks = `
set -m
count=$1 at=$((${control} + 1)); shift
end=$((at + count * ${perStart}))
for ((; at < end; at += ${perStart})); do
  {
    exec >&$at 2>&$((at + 1)) 3>&$((at + 2)) 4>&$((at + 3)) 5<&$((at + 4)) 6<&$((at + 5)) 7<&$((at + 6)) 8<&$((at + 7))
    for ((fd = ${control}; fd < end; fd++)); do exec {fd}>&-; done
    exec -c "$@"
  } &
  pids+=($!)
done
for ((fd = ${control} + 1; fd < end; fd++)); do exec {fd}>&-; done
echo "\${pids[@]}" >&${control}
read -r -u ${control}
`;

/** Starts several at once; they die with the shell that forked them, and that with the studio. */
export async function spawnTogether(
  program: BubblewrapProgram,
  given: readonly GivenDescriptors[],
): Promise<BubblewrapProcess[]> {
  const sets = given.flatMap(({ out, error, contents: [filter, ...placed] }) => [
    ...[out, error, 'pipe' as const, 'pipe' as const, filter, 'pipe' as const],
    ...placed,
  ]);
  const unused = Array.from({ length: control }, () => 'ignore' as const);
  const words = ['-p', '-c', forks, 'forks', String(given.length), ...argvOf(program)];
  const shell = spawn('/usr/bin/bash', words, {
    ...optionsFor(program.identity),
    // A shell with job control would otherwise reach for the terminal of the studio.
    detached: true,
    stdio: [...unused, 'pipe', ...sets],
  });
  const shellPid = await pidOf(shell);
  const streams = streamsOf(shell);
  const pids = await firstNumbers(streams[control]!);
  if (pids.length !== given.length) {
    // Those that were started all the same end with their descriptors.
    for (const stream of shell.stdio) stream?.destroy();
    throw new Error('bash ended before it had started bubblewrap');
  }
  let left = pids.length;
  return pids.map((pid, i): BubblewrapProcess => {
    const at = control + 1 + i * perStart;
    const status = streams[at + 3]!;
    // Nothing is said before the options are known, and only who reads is told of the end.
    status.resume();
    const ended = new Promise<void>((resolve) => status.once('close', () => resolve()));
    void ended.then(() => {
      if (--left === 0) streams[control]!.destroy();
    });
    return {
      pid,
      artifacts: streams[at + 2]!,
      status,
      options: streams[at + 5]!,
      ended,
      isAlive: () => !status.destroyed && !status.readableEnded && isRunning(shell),
      kill: () => killChild(pid, shellPid),
    };
  });
}

/** Kills a process unless its number is meanwhile somebody else's. */
export function killChild(pid: number, parent: number): void {
  if (!isChildOf(pid, parent)) return;
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
    // It ended by itself just now.
  }
}

/** Guards against a number that meanwhile belongs to somebody else's process. */
export function isChildOf(pid: number, parent: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/status`, 'latin1').includes(`\nPPid:\t${parent}\n`);
  } catch {
    return false;
  }
}

function argvOf({ bwrap, command }: BubblewrapProgram): string[] {
  return [bwrap, '--args', String(descriptors.options), '--', ...command];
}

function optionsFor({ isDropped, uid, gid }: Identity) {
  // A script can read the environment its ancestors were started with, so there is none.
  return { env: {}, cwd: '/', ...(isDropped && { uid, gid }) };
}

function streamsOf(child: ChildProcess): readonly (Readable & Writable)[] {
  return child.stdio as unknown as readonly (Readable & Writable)[];
}

async function pidOf(child: ChildProcess): Promise<number> {
  const failed = new Promise<Error>((resolve) => child.on('error', resolve));
  if (child.pid === undefined) throw await failed;
  return child.pid;
}

function isRunning({ exitCode, signalCode }: ChildProcess): boolean {
  return exitCode === null && signalCode === null;
}

/** The numbers on the first line; none when it never comes. */
function firstNumbers(stream: Readable): Promise<number[]> {
  return new Promise((resolve) => {
    let text = '';
    stream.on('data', (bytes: Buffer) => {
      text += bytes.toString('latin1');
      if (text.endsWith('\n')) resolve(text.trim().split(' ').map(Number));
    });
    stream.once('close', () => resolve([]));
  });
}
