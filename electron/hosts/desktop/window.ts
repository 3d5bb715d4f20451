import { app, BrowserWindow, dialog, screen } from 'electron';
import type { Engine } from '#engine/engine.ts';
import type { Host } from '#engine/host.ts';
import type { RunProgress } from '#shared/model/app.ts';
import type { OpenRequest } from '#shared/model/workspace.ts';
import { acceptConnections } from './connection.ts';
import { lockNavigation } from './navigation.ts';
import { recoverCrashes } from './recovery.ts';
import { WindowEvents } from './window-events.ts';
import { fitToDisplays, minimumSize } from './window-state.ts';
import type { WindowState, WindowStateFile } from './window-state.ts';

const saveDelayMs = 500;

export interface StudioWindowOptions {
  readonly engine: Engine;
  readonly page: URL;
  readonly preload: string;
  readonly icon: string;
  readonly stateFile: WindowStateFile;
  /** What the user named when starting the app. */
  readonly start: OpenRequest | undefined;
}

/** How long a page may take to hand over what was typed last before the user is asked. */
const handOverMs = 1000;

/** One window on the studio's page: secured, connected to the engine, and found again where it was left. */
export class StudioWindow {
  readonly #options: StudioWindowOptions;
  readonly #window: BrowserWindow;
  readonly events = new WindowEvents();
  #opened: OpenRequest | undefined;
  /** How often the window was asked to close in a row; a page that is loaded again is not. */
  #closeTries = 0;
  #saving: NodeJS.Timeout | undefined;

  private constructor(options: StudioWindowOptions, state: WindowState) {
    this.#options = options;
    this.#window = new BrowserWindow({
      ...state,
      minWidth: minimumSize.width,
      minHeight: minimumSize.height,
      title: 'Sunwell Studio',
      icon: options.icon,
      show: false,
      webPreferences: {
        preload: options.preload,
        contextIsolation: true,
        sandbox: true,
        nodeIntegration: false,
        nodeIntegrationInWorker: false,
        nodeIntegrationInSubFrames: false,
        webSecurity: true,
        webviewTag: false,
        navigateOnDragDrop: false,
        // Chromium would fetch dictionaries from the network.
        spellcheck: false,
        devTools: !app.isPackaged,
      },
    });
    if (state.maximized) this.#window.maximize();
    this.#guard();
    this.#keepState();
  }

  static async open(options: StudioWindowOptions): Promise<StudioWindow> {
    const areas = [screen.getPrimaryDisplay(), ...screen.getAllDisplays()].map(({ workArea }) => workArea);
    const [first, ...others] = areas as [Electron.Rectangle, ...Electron.Rectangle[]];
    const state = fitToDisplays(await options.stateFile.read(), [first, ...others]);
    const window = new StudioWindow(options, state);
    window.#load();
    return window;
  }

  get browserWindow(): BrowserWindow {
    return this.#window;
  }

  focus(): void {
    if (this.#window.isMinimized()) this.#window.restore();
    this.#window.show();
    this.#window.focus();
  }

  #guard(): void {
    const contents = this.#window.webContents;
    this.#window.once('ready-to-show', () => this.#window.show());
    lockNavigation(this.#window, this.#options.page);
    recoverCrashes({ window: this.#window, events: this.events, load: () => this.#load() });
    contents.on('did-navigate', () => this.events.pageLeft());
    contents.on('render-process-gone', () => this.events.pageLeft());
    contents.on('did-navigate', () => this.#showProgress(undefined));
    this.#window.on('close', () => (this.#closeTries = Math.max(this.#closeTries, 1)));
    contents.on('will-prevent-unload', (event) => {
      // The page hands typed text over before it goes: mostly it only needs a moment, and nobody need be asked.
      if (this.#closeTries === 1) {
        this.#closeTries = 2;
        setTimeout(() => this.#window.isDestroyed() || this.#window.close(), handOverMs);
        return;
      }
      this.#closeTries = 0;
      const answer = dialog.showMessageBoxSync(this.#window, {
        type: 'warning',
        message: 'Close without saving?',
        detail: 'Some changes are not saved and would be lost.',
        buttons: ['Stay', 'Close Without Saving'],
        defaultId: 0,
        cancelId: 0,
        noLink: true,
      });
      if (answer === 1) event.preventDefault();
    });
    acceptConnections(contents, {
      engine: this.#options.engine,
      page: this.#options.page,
      host: () => this.#host(),
    });
  }

  #host(): Host {
    return {
      kind: 'desktop',
      // A page that is loaded again goes on with the workspace it had; it may have been too early to have one.
      start: this.#opened ?? this.#options.start,
      opened: (folder) => (this.#opened = { from: 'folder', folder }),
      chooseFolder: () => this.#chooseFolder(),
      showProgress: (progress) => this.#showProgress(progress),
      events: this.events.forThisPage(),
    };
  }

  #showProgress(progress: RunProgress | undefined): void {
    if (this.#window.isDestroyed()) return;
    // A negative number takes the bar away; one above 1 is a bar that only says that something runs.
    this.#window.setProgressBar(!progress ? -1 : progress.of === 0 ? 2 : progress.done / progress.of);
  }

  async #chooseFolder(): Promise<string | undefined> {
    const { filePaths } = await dialog.showOpenDialog(this.#window, {
      title: 'Open Folder',
      properties: ['openDirectory', 'createDirectory'],
    });
    return filePaths[0];
  }

  #load(): void {
    // A failure arrives as an event too, and the user is asked there.
    this.#window.loadURL(this.#options.page.href).catch(() => undefined);
  }

  #keepState(): void {
    const save = (): void => {
      clearTimeout(this.#saving);
      if (this.#window.isDestroyed()) return;
      const state = { ...this.#window.getNormalBounds(), maximized: this.#window.isMaximized() };
      // A full disk must not keep the window from closing; the next start opens it in the middle.
      this.#options.stateFile.write(state).catch((error: unknown) => this.#options.engine.log.report(error));
    };
    const saveSoon = (): void => {
      clearTimeout(this.#saving);
      this.#saving = setTimeout(save, saveDelayMs);
    };
    this.#window.on('resize', saveSoon);
    this.#window.on('move', saveSoon);
    this.#window.on('close', save);
  }
}
