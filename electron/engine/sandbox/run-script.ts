import { StudioError } from '#shared/errors.ts';
import { steadyMs } from '../store/steady-clock.ts';
import { collectArtifacts, type Artifact, type Collected, type RejectedArtifact } from './artifacts.ts';
import { CapturedOutput, type OnText } from './captured-output.ts';
import { helloLine, readyLine, trailerLength } from './init.ts';
import type { SandboxHearer } from './keeper.ts';
import { launch, type Gone, type Launched, type LaunchRequest } from './launch.ts';
import { fixedLimits, type Limits } from './limits.ts';
import { MemoryWatchdog } from './watchdog.ts';

type OutputStream = 'stdout' | 'stderr';

/** Told of everything a script prints, as it prints it. */
export type OnOutput = (stream: OutputStream, ...printed: Parameters<OnText>) => void;

export const limitNames = ['time', 'memory', 'output', 'cpu', 'artifact-bytes', 'artifact-files'] as const;
export type LimitName = (typeof limitNames)[number];

/** How a script ended and what it left. Only an outcome with `exitCode` 0 and nothing hit, rejected or truncated is a success. */
export interface ScriptOutcome {
  /** Undefined when the studio ended it: deadline, limit or cancel. */
  readonly exitCode: number | undefined;
  /** Number of the signal that ended the script, where the exit code says so. */
  readonly signal?: number;
  readonly timedOut: boolean;
  readonly cancelled: boolean;
  readonly truncated: boolean;
  /** Standard output alone: one that is not whole is no result. */
  readonly isStdoutTruncated: boolean;
  readonly stdout: string;
  readonly stderr: string;
  /** Text of $SUNWELL_OUTPUT, when it was written. */
  readonly output?: string;
  readonly artifacts: readonly Artifact[];
  readonly rejected: readonly RejectedArtifact[];
  readonly limitsHit: readonly LimitName[];
  /** What was refused, where the kernel tells. */
  readonly denied: readonly string[];
  readonly durationMs: number;
  readonly peakMemoryBytes: number;
}

export interface RunOptions {
  readonly limits: Limits;
  readonly signal?: AbortSignal | undefined;
  readonly onOutput?: OnOutput | undefined;
}

/** Runs one prepared sandbox to its end; throws `sandbox.unavailable` when the script could not be started. */
export function runLaunch(request: LaunchRequest, options: RunOptions): Promise<ScriptOutcome> {
  return watchRun((hearer) => launch(request, hearer), options);
}

/** Starts a sandbox, however that is done, and watches it to its end. */
export async function watchRun(
  start: (hearer: SandboxHearer) => Launched | Promise<Launched>,
  options: RunOptions,
): Promise<ScriptOutcome> {
  options.signal?.throwIfAborted();
  const startedAt = steadyMs();
  const watch = new RunWatch(options);
  try {
    const running = await start(watch);
    watch.hold(running);
    const gone = await running.gone;
    return watch.outcome(gone, steadyMs() - startedAt);
  } finally {
    watch[Symbol.dispose]();
  }
}

/** Watches one running sandbox: deadline, cancel, memory and streams. */
class RunWatch implements SandboxHearer, Disposable {
  readonly #options: RunOptions;
  readonly #captured: Readonly<Record<OutputStream, CapturedOutput>>;
  readonly #left: Buffer[] = [];
  readonly #hit = new Set<LimitName>();
  readonly #onAbort: () => void;
  #running: Launched | undefined;
  #timer: NodeJS.Timeout | undefined;
  #leftBytes = 0;
  #memory: MemoryWatchdog | undefined;
  #isCancelled = false;
  #isKilled = false;
  #isEnded = false;

  constructor(options: RunOptions) {
    this.#options = options;
    this.#captured = { stdout: this.#capture('stdout'), stderr: this.#capture('stderr') };
    this.#onAbort = () => {
      this.#isCancelled = true;
      this.#stop();
    };
    options.signal?.addEventListener('abort', this.#onAbort);
  }

  /** From here on there is something to end. */
  hold(running: Launched): void {
    this.#running = running;
    this.#timer = setTimeout(() => this.#stop('time'), this.#options.limits.timeoutMs);
    if (this.#isKilled) running.kill();
  }

  printed(stream: OutputStream, bytes: Buffer): void {
    const captured = this.#captured[stream];
    captured.push(bytes);
    if (captured.isTruncated) this.#hit.add('output');
    if (captured.bytesSeen > fixedLimits.floodBytes && !this.#isKilled) this.#stop('output');
  }

  /** The sandbox is set up from here on; before, its first process still sees the host's processes. */
  first(pid: number): void {
    if (this.#isEnded) return;
    this.#memory = new MemoryWatchdog({
      pid,
      limitBytes: this.#options.limits.memoryBytes,
      isOutOfMemory: () => this.#running?.isOutOfMemory() ?? false,
      onExceeded: () => this.#stop('memory'),
    });
  }

  sent(bytes: Buffer): void {
    this.#leftBytes += bytes.length;
    // A sparse file is small in the sandbox and endless in the archive.
    if (this.#leftBytes > archiveLimit(this.#options.limits)) {
      if (!this.#isKilled) this.#stop('artifact-bytes');
      return;
    }
    this.#left.push(bytes);
  }

  outcome(gone: Gone, durationMs: number): ScriptOutcome {
    const left = Buffer.concat(this.#left);
    const stdout = this.#captured.stdout.end();
    const stderr = this.#captured.stderr.end();
    const isStarted = left.subarray(0, started.length).toString('latin1') === started;
    if (gone.isOutOfMemory) {
      this.#hit.add('memory');
      this.#isKilled = true;
    }
    // On a busy machine the deadline may come before the script does: that is no fault of the sandbox.
    const isStopped = this.#isCancelled || this.#hit.has('time');
    if (
      !isStopped &&
      (gone.failure !== undefined || !isStarted || (gone.exitCode === undefined && !this.#isKilled))
    ) {
      throw unavailable(gone, stderr);
    }
    const exitCode = this.#isKilled ? undefined : gone.exitCode;
    const signal = exitCode !== undefined && exitCode > 128 ? exitCode - 128 : undefined;
    if (signal === signals.cpu) this.#hit.add('cpu');
    const { output, artifacts, rejected } = this.#collect(left);
    return {
      exitCode,
      ...(signal !== undefined && { signal }),
      timedOut: this.#hit.has('time'),
      cancelled: this.#isCancelled,
      truncated: this.#captured.stdout.isTruncated || this.#captured.stderr.isTruncated,
      isStdoutTruncated: this.#captured.stdout.isTruncated,
      stdout,
      stderr,
      ...(output && { output: output.toString('utf8') }),
      artifacts,
      rejected,
      limitsHit: limitNames.filter((name) => this.#hit.has(name)),
      denied: signal === signals.badCall ? ['system call of a foreign ABI'] : [],
      durationMs,
      peakMemoryBytes: this.#memory?.peakBytes ?? 0,
    };
  }

  [Symbol.dispose](): void {
    this.#isEnded = true;
    clearTimeout(this.#timer);
    this.#memory?.[Symbol.dispose]();
    this.#options.signal?.removeEventListener('abort', this.#onAbort);
  }

  #stop(limit?: LimitName): void {
    if (limit) this.#hit.add(limit);
    this.#isKilled = true;
    this.#running?.kill();
  }

  #capture(stream: OutputStream): CapturedOutput {
    return new CapturedOutput(this.#options.limits.outputBytes, (...printed) =>
      this.#options.onOutput?.(stream, ...printed),
    );
  }

  #collect(left: Buffer): Collected {
    const trailer = left.subarray(Math.max(started.length, left.length - trailerLength));
    const packed = /^packed +(\d+)$/.exec(trailer.toString('latin1'));
    if (this.#isKilled || !packed) return { artifacts: [], rejected: [] };
    const archive = left.subarray(started.length, left.length - trailerLength);
    const collected: Collected =
      archive.length === 0
        ? { artifacts: [], rejected: [] }
        : collectArtifacts(archive, this.#options.limits);
    const unreadable: RejectedArtifact[] = packed[1] === '0' ? [] : [{ path: '', reason: 'unreadable' }];
    const rejected = [...collected.rejected, ...unreadable];
    if (rejected.some(({ reason }) => reason === 'too-large')) this.#hit.add('artifact-bytes');
    if (rejected.some(({ reason }) => reason === 'too-many')) this.#hit.add('artifact-files');
    return { ...collected, rejected };
  }
}

/** What init wrote if it came to start the script. */
const started = helloLine + readyLine;

const signals = { cpu: 24, badCall: 31 };

/** Room for the headers of every file, whose names may be long. */
function archiveLimit({ artifactBytes, artifactFiles }: Limits): number {
  return artifactBytes + artifactFiles * 4096;
}

function unavailable(gone: Gone, stderr: string): StudioError {
  const said =
    (gone.failure ?? stderr.trim()) ||
    'the limits could not be set, or the interpreter is not in the sandbox';
  return new StudioError('sandbox.unavailable', `Cannot start the sandbox: ${said}`, { said });
}
