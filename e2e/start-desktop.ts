import { once } from 'node:events';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { _electron } from '@playwright/test';
import type { ElectronApplication, Page } from '@playwright/test';
import { appRoot, isRoot } from './places.ts';

const startWithinMs = 30_000;
const quitWithinMs = 15_000;

export interface DesktopStart {
  readonly home: string;
  /** Arguments after the app's path: a folder, a link or nothing. */
  readonly args: readonly string[];
}

export interface RunningDesktop extends AsyncDisposable {
  readonly app: ElectronApplication;
  readonly page: Page;
}

/** Electron's binary; requiring the package instead would start a download where the binary is missing. */
export function electronBinary(): string {
  const folder = process.env['ELECTRON_OVERRIDE_DIST_PATH'] || join(appRoot, 'node_modules/electron/dist');
  const binary = process.env['SUNWELL_ELECTRON'] || join(folder, 'electron');
  if (!existsSync(binary))
    throw new Error(
      `No Electron binary at "${binary}": set ELECTRON_OVERRIDE_DIST_PATH, or run only --project=web`,
    );
  return binary;
}

/** The command line and environment that start the app, for Playwright and for a bare second process alike. */
export function electronCommand({ home, args }: DesktopStart): {
  args: string[];
  env: Record<string, string>;
} {
  const env = Object.entries(process.env).filter(
    (pair): pair is [string, string] => pair[1] !== undefined && pair[0] !== 'ELECTRON_RUN_AS_NODE',
  );
  return {
    // Chromium refuses its sandbox to root; ordinary users keep it.
    args: [...(isRoot ? ['--no-sandbox'] : []), appRoot, ...args],
    env: { ...Object.fromEntries(env), SUNWELL_HOME: home },
  };
}

/** Starts the app. A window that does not come, as happens now and then under Xvfb, is told of and started once more. */
export async function startDesktop(start: DesktopStart): Promise<RunningDesktop> {
  const isFirst = !existsSync(start.home);
  try {
    return await startOnce(start);
  } catch (error) {
    process.stderr.write(`The app showed no window and is started once more: ${String(error)}\n`);
    // Without a window it may have opened the folder all the same: then this would be its second start.
    if (isFirst) rmSync(start.home, { recursive: true, force: true });
    return startOnce(start);
  }
}

async function startOnce(start: DesktopStart): Promise<RunningDesktop> {
  const timeout = startWithinMs;
  const app = await _electron.launch({
    executablePath: electronBinary(),
    timeout,
    ...electronCommand(start),
  });
  const exited = once(app.process(), 'exit');
  const page = await app.firstWindow({ timeout }).catch(async (error: unknown) => {
    app.process().kill('SIGKILL');
    await exited;
    throw error;
  });
  return {
    app,
    page,
    async [Symbol.asyncDispose]() {
      // A window that hangs would keep every later test from starting; its failure is told below.
      const deadline = setTimeout(() => app.process().kill('SIGKILL'), quitWithinMs);
      await app.close();
      // Playwright returns when the window is gone; the engine is put away after that.
      const [exitCode, signal] = (await exited) as [number | null, string | null];
      clearTimeout(deadline);
      if (exitCode !== 0) throw new Error(`The app did not quit well: ${signal ?? `exit code ${exitCode}`}`);
    },
  };
}
