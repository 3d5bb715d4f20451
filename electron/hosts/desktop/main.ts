import { join } from 'node:path';
import { app, dialog } from 'electron';
import { findAppRoot } from '#engine/store/app-root.ts';
import { defaultHome } from '#engine/home.ts';
import { Log } from '#engine/store/log.ts';
import { requireHome } from '#engine/require-home.ts';
import { StudioError } from '#shared/errors.ts';
import { registerAppScheme } from './app-protocol.ts';
import { reportBugs } from './bug-report.ts';
import { linkScheme } from './deep-link.ts';
import { Desktop } from './desktop.ts';
import { displayProblem } from './display.ts';
import { LaunchRequest, parseLaunch } from './launch-request.ts';

const stopWithinMs = 5000;

// Electron takes schemes, paths and the lock only before it is ready: nothing here may wait.
function main(): void {
  const problem = displayProblem(process.platform, process.env);
  if (problem !== undefined) return giveUp(problem, 1);

  try {
    requireHome(process.env);
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return giveUp(error.message, 2);
  }
  const home = defaultHome();
  // Chromium's own files and the single-instance lock live with the user's other studio files.
  app.setPath('userData', join(home, 'desktop'));
  const log = new Log(join(home, 'logs'));
  reportBugs(log);
  const launch = parseLaunch(process.argv, {
    hasAppPath: process.defaultApp === true,
    workingDirectory: process.cwd(),
  });
  if (!app.requestSingleInstanceLock(launch))
    return giveUp('Sunwell Studio is already running: its window comes forward', 0);

  registerAppScheme();
  if (app.isPackaged) app.setAsDefaultProtocolClient(linkScheme);
  run(home, launch, log);
}

function run(home: string, launch: LaunchRequest, log: Log): void {
  const desktop = app
    .whenReady()
    .then(() => Desktop.start({ home, root: findAppRoot(import.meta.url), launch }));
  desktop.catch((error: unknown) => {
    const reason =
      error instanceof StudioError
        ? error.message
        : `Cannot start Sunwell Studio: see "${log.report(error)}" in "${log.file}"`;
    if (app.isPackaged) dialog.showErrorBox('Sunwell Studio cannot start', reason);
    giveUp(reason, 1);
  });

  app.on('second-instance', (_event, _argv, _workingDirectory, data) => {
    const request = LaunchRequest.safeParse(data);
    void desktop.then((running) => running.relaunch(request.success ? request.data : {}));
  });
  app.on('open-url', (event, link) => {
    event.preventDefault();
    void desktop.then((running) => running.openLink(link));
  });
  app.on('activate', () => void desktop.then((running) => running.openWindow()));
  app.on('window-all-closed', () => {
    if (process.platform !== 'darwin') app.quit();
  });

  stopBeforeQuit(async () => {
    const running = await desktop;
    await running.stop();
  }, log);
}

/** Lets the app end only after `stop`; a stop that hangs is reported, and the app ends all the same. */
function stopBeforeQuit(stop: () => Promise<void>, log: Log): void {
  let isStopped = false;
  app.on('will-quit', (event) => {
    if (isStopped) return;
    event.preventDefault();
    const end = (): void => {
      if (isStopped) return;
      isStopped = true;
      // Electron ignores a second quit until this event is over, and a stop without waiting ends inside it.
      setImmediate(() => app.quit());
    };
    const deadline = setTimeout(() => {
      log.report(new Error(`The engine did not stop within ${stopWithinMs} ms`));
      end();
    }, stopWithinMs);
    void stop()
      .catch((error: unknown) => log.report(error))
      .finally(() => {
        clearTimeout(deadline);
        end();
      });
  });
}

function giveUp(line: string, exitCode: number): void {
  (exitCode === 0 ? process.stdout : process.stderr).write(`${line}\n`);
  app.exit(exitCode);
}

main();
