import { execFile, spawn, type ChildProcess } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { PassThrough, type Readable, type Writable } from 'node:stream';
import { promisify } from 'node:util';
import { interpreterCommand, scriptExtension, type Interpreter } from '../interpreters.ts';
import { helloLine, printed, readyLine } from '../init.ts';
import type { SandboxHearer } from '../keeper.ts';
import type { Gone, Launched } from '../launch.ts';
import { fixedLimits, type Limits } from '../limits.ts';
import { encodeInput, type ScriptRequest } from '../script-request.ts';
import { seatbeltProfile } from './seatbelt-profile.ts';

/** What is needed to start scripts under macOS's own sandbox. */
export interface Seatbelt {
  /** `sandbox-exec`. */
  readonly program: string;
  /** Where the folders of runs are made. */
  readonly folder: string;
}

/** One start: the command, its environment, and the folder that is the script's to write to. */
export interface SeatbeltStart {
  readonly argv: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly cwd: string;
  readonly scratch: string;
}

const memoryEveryMs = 250;
/** What init waits for: a studio that is gone by then answers nothing, and the script does not start. */
const goLine = 'go\n';
/** How long streams may stay open when the script is gone: a process that left its group can hold them for ever. */
const drainMs = 500;

/** For the bash 3.2 of macOS. No limit of processes or data: the system counts those for the whole user. */
const init = `
for ((fd = 4; fd < 255; fd++)); do eval "exec $fd>&-"; done
umask 077
ulimit -c 0 && ulimit -n "$1" && ulimit -f "$2" && ulimit -t "$3" && exec < "$4" || exit 125
shift 4
[[ -x $1 ]] && printf '${printed(helloLine)}' >&3 && read -r -u 3 && printf '${printed(readyLine)}' >&3 || exit 125
exec 3>&-
exec "$@"
`;

/** Lays out what a script sees: nothing is mounted, so everything is a folder named in the profile. */
export function prepareSeatbelt(
  { program, folder }: Seatbelt,
  interpreter: Interpreter,
  { script, input, workspace, skill }: ScriptRequest,
  limits: Limits,
): SeatbeltStart {
  // The profile knows real paths only, and the usual folder for temporary files is a link on macOS.
  const scratch = realpathSync(mkdtempSync(join(folder, 'run-')));
  const at = (name: string) => join(scratch, name);
  for (const name of ['write/tmp', 'write/out/files', 'workspace', 'given'])
    mkdirSync(at(name), { recursive: true });
  const inputPath = at('given/input.json');
  writeFileSync(inputPath, encodeInput(input));
  const inline = at(`given/script.${scriptExtension(script.language)}`);
  if ('content' in script.source) writeFileSync(inline, script.source.content);
  chmodSync(at('workspace'), 0o500);
  const file = 'content' in script.source ? inline : join(skill ?? scratch, script.source.pathInSkill);
  const seen = workspace ?? at('workspace');
  const { prefix } = interpreter;
  const profile = seatbeltProfile({
    workspace: seen,
    ...(skill !== undefined && { skill }),
    scratch: at('write'),
    placed: [inputPath, inline],
    prefixes: prefix === undefined ? [] : [prefix],
  });
  const seconds = Math.ceil(limits.timeoutMs / 1000) + fixedLimits.cpuMarginSeconds;
  const inner = [fixedLimits.openFiles, fixedLimits.fileBytes / 1024, seconds, inputPath].map(String);
  const command = [...interpreterCommand(interpreter, limits), file, ...(script.args ?? [])];
  return {
    argv: [program, '-p', profile, '/bin/bash', '-p', '-c', init, 'init', ...inner, ...command],
    environment: {
      PATH: [...(prefix === undefined ? [] : [`${prefix}/bin`]), '/usr/bin', '/bin'].join(':'),
      HOME: at('write/tmp'),
      TMPDIR: at('write/tmp'),
      LANG: 'C.UTF-8',
      SUNWELL_INPUT: inputPath,
      SUNWELL_OUTPUT: at('write/out/output.json'),
      SUNWELL_FILES: at('write/out/files'),
    },
    cwd: seen,
    scratch,
  };
}

/** Starts a script; what it left is packed only when its group of processes is gone. */
export function launchSeatbelt(
  { argv, environment, cwd, scratch }: SeatbeltStart,
  limits: Limits,
  hearer: SandboxHearer,
): Launched {
  const [program = '', ...args] = argv;
  const child = spawn(program, args, {
    env: environment,
    cwd,
    stdio: ['ignore', 'pipe', 'pipe', 'pipe'],
    detached: true,
  });
  const [, stdout, stderr, channel] = child.stdio as unknown as readonly [
    null,
    Readable,
    Readable,
    Readable & Writable,
  ];
  const artifacts = new PassThrough();
  stdout.on('data', (bytes: Buffer) => hearer.printed('stdout', bytes));
  stderr.on('data', (bytes: Buffer) => hearer.printed('stderr', bytes));
  artifacts.on('data', (bytes: Buffer) => hearer.sent(bytes));
  const drained = Promise.all([stdout, stderr, artifacts].map(untilEnd));
  let isOutOfMemory = false;
  const kill = () => killGroup(child);
  const timer = setInterval(() => {
    void groupBytes(child).then((bytes) => {
      if (bytes <= limits.memoryBytes) return;
      isOutOfMemory = true;
      kill();
    });
  }, memoryEveryMs);
  channel.on('error', () => channel.destroy());
  channel.on('data', (bytes: Buffer) => artifacts.write(bytes));
  channel.once('data', () => channel.write(goLine));
  const gone = new Promise<Gone>((resolve) => {
    const settle = (exitCode: number | undefined, failure?: string) => {
      clearInterval(timer);
      rmSync(scratch, { recursive: true, force: true });
      void drained.then(() => resolve({ exitCode, failure, isOutOfMemory }));
    };
    child.once('error', (cause) => {
      artifacts.end();
      settle(undefined, cause.message);
    });
    child.once('exit', (code, signal) => {
      kill();
      const exitCode = code ?? (signal === null ? undefined : 128 + (signalNumbers[signal] ?? 0));
      void sendLeft(join(scratch, 'write/out'), artifacts).then(() => settle(exitCode));
      setTimeout(() => [stdout, stderr, channel].forEach((stream) => stream.destroy()), drainMs).unref();
    });
  });
  // There is no first process of a namespace to hear of: memory is watched above.
  return { gone, isOutOfMemory: () => isOutOfMemory, kill };
}

function untilEnd(stream: Readable): Promise<void> {
  return new Promise((resolve) => {
    stream.once('close', resolve);
    stream.once('error', () => resolve());
  });
}

const signalNumbers: Readonly<Record<string, number>> = { SIGKILL: 9, SIGSEGV: 11, SIGTERM: 15, SIGXCPU: 24 };

function killGroup(child: ChildProcess): void {
  try {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  } catch (error) {
    if (!['ESRCH', 'EPERM'].includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    // Nobody of the group is left, or only what waits to be taken away.
  }
}

async function groupBytes({ pid }: ChildProcess): Promise<number> {
  const { stdout } = await promisify(execFile)('/bin/ps', ['-axo', 'pgid=,rss='], { env: {}, cwd: '/' });
  const rows = stdout.split('\n').map((line) => line.trim().split(/\s+/).map(Number));
  return rows.reduce((sum, [group, kib = 0]) => (group === pid ? sum + kib * 1024 : sum), 0);
}

/** Sends what lies below a folder as the init of Linux does: nothing where there is nothing, and always how it went. */
async function sendLeft(folder: string, artifacts: PassThrough): Promise<void> {
  const format = process.platform === 'darwin' ? 'gnutar' : 'gnu';
  const tar = spawn('/usr/bin/tar', ['-c', '-f', '-', `--format=${format}`, '-C', folder, '.'], {
    // Without it the tar of macOS adds a file of attributes beside each file.
    env: { COPYFILE_DISABLE: '1' },
    cwd: '/',
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  tar.stdout.pipe(artifacts, { end: false });
  const code = await new Promise<number>((resolve) => {
    tar.once('error', () => resolve(1));
    tar.once('close', (status) => resolve(status ?? 1));
  });
  artifacts.end(`packed ${String(code).padStart(9)}`);
}
