import { app, dialog } from 'electron';
import type { Log } from '#engine/store/log.ts';

/** Writes every uncaught error to the log and shows it once, by its reference and without a stack trace. */
export function reportBugs(log: Log): void {
  let isShown = false;
  const report = async (error: unknown): Promise<void> => {
    const reference = log.report(error);
    if (!app.isReady()) {
      process.stderr.write(`Cannot start Sunwell Studio: see "${reference}" in "${log.file}"\n`);
      app.exit(1);
      return;
    }
    if (isShown) return;
    isShown = true;
    const { response } = await dialog.showMessageBox({
      type: 'error',
      message: 'Something went wrong inside the studio',
      detail: `It is written down as "${reference}" in\n${log.file}`,
      buttons: ['Keep Working', 'Quit'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    isShown = false;
    if (response === 1) app.quit();
  };
  process.on('uncaughtException', (error) => void report(error));
  process.on('unhandledRejection', (error) => void report(error));
}
