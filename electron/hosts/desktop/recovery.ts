import { app, dialog } from 'electron';
import type { BrowserWindow } from 'electron';
import { CrashPolicy } from './crash-policy.ts';
import type { WindowEvents } from './window-events.ts';

/** Chromium's code for a load that another load or a crash replaced. */
const aborted = -3;

export interface RecoveryOptions {
  readonly window: BrowserWindow;
  readonly events: WindowEvents;
  /** Loads the page from its address. A mere reload does nothing where the page crashed before it was there. */
  readonly load: () => void;
}

/** Brings a crashed page back by itself once, then asks; asks too about a page that hangs or cannot be loaded. */
export function recoverCrashes({ window, events, load }: RecoveryOptions): void {
  const contents = window.webContents;
  const policy = new CrashPolicy();

  const reload = (): void => {
    events.publish({
      type: 'notice',
      notice: {
        code: 'host.page-crashed',
        message: 'The window crashed and was loaded again: changes that were not saved are lost',
      },
    });
    load();
  };

  const ask = async (message: string, detail: string, again: () => void): Promise<void> => {
    const { response } = await dialog.showMessageBox(window, {
      type: 'error',
      message,
      detail,
      buttons: ['Load Again', 'Quit'],
      defaultId: 0,
      cancelId: 0,
      noLink: true,
    });
    if (response === 1) app.quit();
    else if (!window.isDestroyed()) again();
  };

  const recover = async (reason: string): Promise<void> => {
    if (window.isDestroyed()) return;
    if (policy.next(Date.now()) === 'reload') return reload();
    const detail = `It stopped twice within a minute (${reason}). Files on disk are not affected.`;
    await ask('The window crashed again', detail, reload);
  };

  contents.on('render-process-gone', (_event, { reason }) => {
    // Loading inside the event would start a new process while Chromium is still taking the old one down.
    if (reason !== 'clean-exit') setImmediate(() => void recover(reason));
  });
  contents.on('did-fail-load', (_event, code, description, address, isMainFrame) => {
    if (!isMainFrame || code === aborted || window.isDestroyed()) return;
    window.show();
    void ask('The page cannot be loaded', `${address}: ${description}`, load);
  });
  askWhenUnresponsive(window);
}

function askWhenUnresponsive(window: BrowserWindow): void {
  let question: AbortController | undefined;
  window.on('unresponsive', () => {
    if (question) return;
    const asked = (question = new AbortController());
    const ask = async (): Promise<void> => {
      try {
        const { response } = await dialog.showMessageBox(window, {
          type: 'warning',
          message: 'The window does not respond',
          detail: 'Loading it again loses changes that were not saved. Files on disk are not affected.',
          buttons: ['Wait', 'Load Again'],
          defaultId: 0,
          cancelId: 0,
          noLink: true,
          signal: asked.signal,
        });
        if (response === 1 && !window.isDestroyed()) window.webContents.forcefullyCrashRenderer();
      } finally {
        question = undefined;
      }
    };
    void ask();
  });
  window.on('responsive', () => question?.abort());
}
