import { dialog, shell } from 'electron';
import type { BrowserWindow } from 'electron';
import { isExternalLink, isPage } from './page-policy.ts';

/** Keeps the window on our page: other addresses are refused, and https links offered to the user's browser. */
export function lockNavigation(window: BrowserWindow, page: URL): void {
  const contents = window.webContents;
  let isAsking = false;

  const offer = async (address: string): Promise<void> => {
    // One question at a time: a page that opens links in a loop must not bury the screen in dialogs.
    if (isAsking || !isExternalLink(address)) return;
    isAsking = true;
    try {
      const { response } = await dialog.showMessageBox(window, {
        type: 'question',
        message: 'Open this address in your browser?',
        detail: new URL(address).href,
        buttons: ['Open', 'Cancel'],
        defaultId: 1,
        cancelId: 1,
        noLink: true,
      });
      if (response === 0) await shell.openExternal(new URL(address).href);
    } finally {
      isAsking = false;
    }
  };

  contents.setWindowOpenHandler(({ url }) => {
    void offer(url);
    return { action: 'deny' };
  });
  contents.on('will-frame-navigate', (event) => {
    if (event.isMainFrame && isPage(event.url, page)) return;
    event.preventDefault();
    if (event.isMainFrame) void offer(event.url);
  });
  contents.on('will-redirect', (event) => event.preventDefault());
  contents.on('will-attach-webview', (event) => event.preventDefault());
}
