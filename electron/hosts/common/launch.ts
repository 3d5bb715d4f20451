import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';

const binaries: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
};

/** An Electron that dies sooner than this never showed its window. */
const startMs = 15_000;

export interface Machine {
  readonly platform: NodeJS.Platform;
  readonly environment: NodeJS.ProcessEnv;
}

/** Electron's binary, or why no window can be opened here. Never starts a download, as importing `electron` would. */
export function findDesktop(appRoot: string, machine: Machine): { binary: string } | { problem: string } {
  const { platform, environment } = machine;
  const folder = environment['ELECTRON_OVERRIDE_DIST_PATH'] || join(appRoot, 'node_modules/electron/dist');
  const binary = join(folder, binaries[platform] ?? 'electron');
  if (!isExecutable(binary)) return { problem: 'Electron’s binary is not installed' };
  if (!hasDisplay(machine)) return { problem: 'there is no display' };
  return { binary };
}

export function hasDisplay({ platform, environment }: Machine): boolean {
  return platform !== 'linux' || Boolean(environment['DISPLAY'] || environment['WAYLAND_DISPLAY']);
}

export interface DesktopRun {
  readonly binary: string;
  readonly appRoot: string;
  /** What the app is asked to open: a folder or `--sample`. */
  readonly words: readonly string[];
  readonly environment: NodeJS.ProcessEnv;
  /** Asks the window to close. */
  readonly signal: AbortSignal;
}

/** Runs the desktop app until its last window closes; says why when it could not start. */
export async function runDesktop(run: DesktopRun): Promise<{ exitCode: number } | { problem: string }> {
  // Chromium refuses its own sandbox to root; the page is ours alone, and CI and containers run as root.
  const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
  const { ELECTRON_RUN_AS_NODE: _, ...environment } = run.environment;
  const startedAt = performance.now();
  const child = spawn(run.binary, [...flags, run.appRoot, ...run.words], {
    env: environment,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const onAbort = (): void => void child.kill('SIGTERM');
  run.signal.addEventListener('abort', onAbort, { once: true });
  // Chromium talks a lot there; only its last words matter, and only when it failed.
  let lastWords = '';
  child.stderr
    .setEncoding('utf8')
    .on('data', (text: string) => (lastWords = (lastWords + text).slice(-4000)));
  try {
    const [code] = (await once(child, 'close')) as [number | null];
    const hasFailed = code !== 0 && !run.signal.aborted;
    if (!hasFailed) return { exitCode: 0 };
    if (performance.now() - startedAt > startMs) return { exitCode: 1 };
    return { problem: `Electron stopped: ${lastLine(lastWords) || `exit code ${code ?? 'unknown'}`}` };
  } catch (error) {
    return { problem: `Electron cannot be started: ${(error as Error).message}` };
  } finally {
    run.signal.removeEventListener('abort', onAbort);
  }
}

/** Opens the address in the user's browser; false where there is none. */
export async function openBrowser(address: string, machine: Machine): Promise<boolean> {
  const opener = openers(machine)[machine.platform] ?? ['xdg-open'];
  const [command, ...words] = opener;
  if (!hasDisplay(machine) || command === undefined || !isOnPath(command, machine)) return false;
  const child = spawn(command, [...words, address], {
    stdio: 'ignore',
    detached: true,
    env: machine.environment,
  });
  child.unref();
  return once(child, 'spawn').then(
    () => true,
    () => false, // It is on the path and cannot be run: the address is printed all the same.
  );
}

/** Lets the user edit a file in their own editor, which takes over the terminal; resolves when they are done. */
export async function runEditor(
  editor: string,
  file: string,
  { machine, signal }: { machine: Machine; signal: AbortSignal },
): Promise<void> {
  // An editor may be written with options, as in `code --wait`.
  const [command = '', ...words] = editor.split(/\s+/).filter((word) => word !== '');
  const child = spawn(command, [...words, file], { stdio: 'inherit', env: machine.environment, signal });
  const [code] = (await once(child, 'close')) as [number | null];
  if (code !== 0) throw new Error(`The editor "${editor}" ended with exit code ${code ?? 'none'}`);
}

function openers({ environment }: Machine): Partial<Record<NodeJS.Platform, string[]>> {
  const system = join(environment['SystemRoot'] ?? 'C:\\Windows', 'System32', 'rundll32.exe');
  return { darwin: ['/usr/bin/open'], win32: [system, 'url.dll,FileProtocolHandler'] };
}

function isOnPath(command: string, { environment }: Machine): boolean {
  if (/[/\\]/.test(command)) return isExecutable(command);
  const folders = (environment['PATH'] ?? '').split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => isExecutable(join(folder, command)));
}

function isExecutable(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    return false; // Absent or not ours to run: both mean it cannot be used.
  }
}

function lastLine(text: string): string {
  return stripVTControlCharacters(text).trim().split(/\r?\n/).at(-1)?.slice(0, 300) ?? '';
}
