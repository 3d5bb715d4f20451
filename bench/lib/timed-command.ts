import { spawn } from 'node:child_process';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { hrtime } from 'node:process';

/** How one command went; `capped` was ended because it took longer than it may. */
export interface Timed {
  readonly ms: number;
  readonly capped: boolean;
  /** Of its largest process; 0 where nobody counted. */
  readonly peakKb: number;
  readonly problem?: string;
}

export interface CommandToTime {
  readonly command: readonly string[];
  readonly root: string;
  readonly environment: NodeJS.ProcessEnv;
  readonly capMs: number;
}

const canMeasurePeak = existsSync('/usr/bin/time');
const marker = 'SUNWELL_BENCH_COMMAND';

/** Runs a command to its end or to the cap, and leaves none of its processes behind: no child, no daemon. */
export async function timeCommand({ command, root, environment, capMs }: CommandToTime): Promise<Timed> {
  const peakFile = `${root}.peak`;
  const words = canMeasurePeak ? ['/usr/bin/time', '-f', '%M', '-o', peakFile, ...command] : [...command];
  const mark = `${process.pid}-${hrtime.bigint()}`;
  const start = performance.now();
  const child = spawn(words[0]!, words.slice(1), {
    cwd: root,
    env: {
      ...process.env,
      ...environment,
      ...{ [marker]: mark, CI: '1', NO_COLOR: '1' },
    },
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: true,
  });
  let errors = '';
  child.stdout.resume();
  child.stderr.setEncoding('utf8').on('data', (text: string) => (errors = (errors + text).slice(-10_000)));
  const endNow = (): void => endAll(mark, child.pid);
  // First of all: what still runs writes into folders that are being removed.
  process.prependOnceListener('exit', endNow);
  let capped = false;
  const timer = setTimeout(() => {
    capped = true;
    endNow();
  }, capMs);
  const outcome = await new Promise<string | number | null>((done) => {
    child.once('error', ({ message }) => done(message));
    child.once('exit', done);
  });
  const ms = performance.now() - start;
  clearTimeout(timer);
  process.off('exit', endNow);
  endNow();
  // A daemon that was just ended may have held the pipes.
  child.stdout.destroy();
  child.stderr.destroy();
  if (capped) return { ms, capped, peakKb: 0 };
  const peakKb = canMeasurePeak ? Number(readFileSync(peakFile, 'utf8').trim().split('\n').at(-1)) : 0;
  if (outcome === 0) return { ms, capped, peakKb };
  const problem =
    typeof outcome === 'string' ? outcome : errors.trim().split('\n').at(-1) || `exit code ${outcome}`;
  return { ms, capped, peakKb, problem };
}

/** Ends the group of a command and, where the system shows environments, whoever left the group. */
function endAll(mark: string, group: number | undefined): void {
  if (group !== undefined) end(-group);
  // One that is just being forked is seen the second time.
  for (let pids = markedBy(mark), tries = 0; pids.length > 0 && tries < 20; pids = markedBy(mark), tries++) {
    pids.forEach(end);
  }
}

function markedBy(mark: string): number[] {
  if (!existsSync('/proc/self/environ')) return [];
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => hasMark(pid, `${marker}=${mark}`))
    .map(Number);
}

function hasMark(pid: string, entry: string): boolean {
  try {
    return readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').includes(entry);
  } catch {
    return false; // It ended meanwhile, or belongs to somebody else.
  }
}

function end(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch (error) {
    // Gone already; macOS says so with EPERM where only its exit code is left.
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
  }
}
