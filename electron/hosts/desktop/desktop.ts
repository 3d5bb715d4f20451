import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { app, dialog, session } from 'electron';
import { Engine } from '#engine/engine.ts';
import { StudioError } from '#shared/errors.ts';
import { pageEntry } from '../common/static-files.ts';
import { serveApp } from './app-protocol.ts';
import { parseDeepLink } from './deep-link.ts';
import type { ChosenKeys } from '#shared/commands.ts';
import type { OpenRequest } from '#shared/model/workspace.ts';
import type { LaunchRequest } from './launch-request.ts';
import { systemKeychain } from './keychain.ts';
import { installMenu } from './menu.ts';
import { pageAddress } from './page-policy.ts';
import { denyPermissions } from './permissions.ts';
import { WindowStateFile } from './window-state.ts';
import { StudioWindow } from './window.ts';

export interface DesktopOptions {
  readonly home: string;
  /** The folder with `dist` and `resources`. */
  readonly root: string;
  readonly launch: LaunchRequest;
}

/** The running desktop app: one engine and the window on it. */
export class Desktop {
  readonly #options: DesktopOptions;
  readonly #engine: Engine;
  readonly #page: URL;
  readonly #stateFile: WindowStateFile;
  #window: StudioWindow | undefined;
  #opening: Promise<void> | undefined;

  private constructor(options: DesktopOptions, engine: Engine) {
    this.#options = options;
    this.#engine = engine;
    this.#page = pageAddress(process.env, app.isPackaged);
    this.#stateFile = new WindowStateFile(join(options.home, 'window.json'));
  }

  static async start(options: DesktopOptions): Promise<Desktop> {
    const resources = join(options.root, 'resources');
    const page = join(options.root, 'dist', 'renderer');
    const desktop = new Desktop(
      options,
      await Engine.start({ home: options.home, resources, keychain: systemKeychain }),
    );
    requirePage(page, desktop.#page);
    serveApp(page);
    denyPermissions(session.defaultSession, desktop.#page);
    desktop.#installMenu();
    const { link } = options.launch;
    await desktop.openWindow(startOf(options.launch));
    // Not waited for: while its question is open, the app must already answer to a second start and to Quit.
    if (link !== undefined) void desktop.openLink(link);
    return desktop;
  }

  /** Opens the window if there is none; `start` is what the user named on the command line. */
  async openWindow(start?: OpenRequest): Promise<void> {
    if (this.#window) return this.#window.focus();
    this.#opening ??= this.#createWindow(start).finally(() => (this.#opening = undefined));
    await this.#opening;
  }

  /** A second start of the app: comes forward, and asks about what that start named. */
  async relaunch({ folder, link }: LaunchRequest): Promise<void> {
    await this.openWindow();
    if (link !== undefined) await this.openLink(link);
    else if (folder !== undefined) await this.#askToOpen(folder, 'A second start of the studio asks for it.');
  }

  async openLink(link: string): Promise<void> {
    await this.openWindow();
    try {
      await this.#askToOpen(parseDeepLink(link), 'A link outside the studio asks for it.');
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      await this.#show({ type: 'error', message: 'The link was not opened', detail: error.message });
    }
  }

  async stop(): Promise<void> {
    await this.#stateFile.settled();
    await this.#engine[Symbol.asyncDispose]();
  }

  async #createWindow(start: OpenRequest | undefined): Promise<void> {
    const { root } = this.#options;
    const window = await StudioWindow.open({
      engine: this.#engine,
      page: this.#page,
      preload: join(root, 'dist', 'preload.cjs'),
      icon: join(root, 'resources', 'icons', 'icon.png'),
      stateFile: this.#stateFile,
      start,
    });
    this.#window = window;
    window.browserWindow.on('closed', () => (this.#window = undefined));
  }

  async #askToOpen(folder: string, asker: string): Promise<void> {
    const answer = await this.#show({
      type: 'question',
      message: 'Open this folder?',
      detail: `${folder}\n\n${asker}`,
      buttons: ['Open', 'Cancel'],
      defaultId: 1,
      cancelId: 1,
    });
    if (answer === 0) this.#window?.events.publish({ type: 'open-folder', folder });
  }

  async #show(options: Electron.MessageBoxOptions): Promise<number> {
    const parent = this.#window?.browserWindow;
    const box = { noLink: true, ...options };
    const { response } = await (parent ? dialog.showMessageBox(parent, box) : dialog.showMessageBox(box));
    return response;
  }

  /** Also whenever the user changes keys, or the menu would go on to run what they unbound. */
  #installMenu(): void {
    const { settings } = this.#engine;
    let shown = JSON.stringify(settings.value.keymap);
    this.#showMenu(settings.value.keymap);
    settings.follow(({ keymap }) => {
      const wanted = JSON.stringify(keymap);
      if (wanted !== shown) this.#showMenu(keymap);
      shown = wanted;
    });
  }

  #showMenu(keys: ChosenKeys): void {
    installMenu({
      version: app.getVersion(),
      logFile: this.#engine.log.file,
      keys,
      send: (command) => this.#window?.events.publish({ type: 'command', command }),
    });
  }
}

function requirePage(root: string, page: URL): void {
  if (page.protocol === 'http:' || existsSync(join(root, pageEntry))) return;
  throw new StudioError('host.no-page', `Cannot find the built page in "${root}": run "npm run build" first`);
}

function startOf({ folder, sample }: LaunchRequest): OpenRequest | undefined {
  if (folder !== undefined) return { from: 'folder', folder };
  return sample ? { from: 'sample' } : undefined;
}
