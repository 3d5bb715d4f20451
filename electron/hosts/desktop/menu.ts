import { app, dialog, Menu, shell } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';
import { commandTable, keysOf } from '#shared/commands.ts';
import type { ChosenKeys, CommandId } from '#shared/commands.ts';

const isMac = process.platform === 'darwin';
const knownAccelerator =
  /^((CommandOrControl|Ctrl|Alt|Shift)\+)*([A-Z0-9]|F\d{1,2}|Plus|Space|Tab|Enter|Backspace|Delete|Insert|Home|End|PageUp|PageDown|Up|Down|Left|Right|[-=,./;'`[\]\\])$/;

export interface MenuOptions {
  readonly version: string;
  readonly logFile: string;
  /** Hands a command of the palette to the page in front. */
  readonly send: (command: CommandId) => void;
  /** Keys that the user chose; an accelerator of the table beside them would run what they unbound. */
  readonly keys: ChosenKeys;
}

/** The application menu. Its commands are the palette's, so the page decides what each one does. */
export function installMenu(options: MenuOptions): void {
  const template = [
    ...(isMac ? [{ role: 'appMenu' as const }] : []),
    fileMenu(options),
    editMenu(options),
    viewMenu(options),
    runMenu(options),
    ...(isMac ? [{ role: 'windowMenu' as const }] : []),
    helpMenu(options),
  ];
  Menu.setApplicationMenu(Menu.buildFromTemplate(template));
}

function fileMenu(options: MenuOptions): MenuItemConstructorOptions {
  return {
    label: '&File',
    submenu: [
      command('lens.new', options),
      { type: 'separator' },
      command('workspace.open-folder', options),
      command('workspace.open-sample', options),
      { type: 'separator' },
      command('file.save', options),
      command('file.close', options),
      { type: 'separator' },
      command('app.settings', options),
      { type: 'separator' },
      // Not Ctrl+W, which closes a tab of the page.
      { role: 'close', label: 'Close window', accelerator: 'CommandOrControl+Shift+W' },
      ...(isMac ? [] : [{ role: 'quit' as const }]),
    ],
  };
}

/** Undo and redo are the page's own: those of the browser would change a field behind the text's back. */
function editMenu(options: MenuOptions): MenuItemConstructorOptions {
  return {
    label: '&Edit',
    submenu: [
      command('edit.undo', options),
      command('edit.redo', options),
      { type: 'separator' },
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'selectAll' },
    ],
  };
}

function runMenu(options: MenuOptions): MenuItemConstructorOptions {
  return {
    label: '&Run',
    submenu: [
      command('run.start', options),
      command('run.stop', options),
      { type: 'separator' },
      command('view.plan', options),
      command('view.run', options),
      command('view.changes', options),
      command('view.tests', options),
      { type: 'separator' },
      command('view.history', options),
      command('view.cache', options),
    ],
  };
}

function viewMenu(options: MenuOptions): MenuItemConstructorOptions {
  return {
    label: '&View',
    submenu: [
      command('view.palette', options),
      command('view.quick-open', options),
      { type: 'separator' },
      command('view.theme-light', options),
      command('view.theme-dark', options),
      command('view.theme-contrast', options),
      command('view.theme-system', options),
      { type: 'separator' },
      { role: 'reload' },
      ...(app.isPackaged ? [] : [{ role: 'toggleDevTools' as const }]),
      { type: 'separator' },
      { role: 'resetZoom' },
      { role: 'zoomIn' },
      { role: 'zoomOut' },
      { type: 'separator' },
      { role: 'togglefullscreen' },
    ],
  };
}

/** The page sees each key first; the menu's accelerator runs only if the page did not take it. */
function command(
  id: CommandId,
  { send, keys }: Pick<MenuOptions, 'send' | 'keys'>,
): MenuItemConstructorOptions {
  const [key] = keysOf(id, 'desktop', keys);
  const accelerator = key === undefined ? undefined : acceleratorOf(key);
  return { id, label: commandTable[id].title, click: () => send(id), ...(accelerator && { accelerator }) };
}

/** A key as Electron writes it; undefined for one that it does not know, at which it would throw. */
function acceleratorOf(key: string): string | undefined {
  const accelerator = key.replace('Mod', 'CommandOrControl').replace('Arrow', '');
  return knownAccelerator.test(accelerator) ? accelerator : undefined;
}

function helpMenu({ version, logFile, ...options }: MenuOptions): MenuItemConstructorOptions {
  return {
    role: 'help',
    submenu: [
      command('help.tour', options),
      command('help.shortcuts', options),
      { label: 'Show the log', click: () => shell.showItemInFolder(logFile) },
      {
        label: 'About Sunwell Studio',
        click: () =>
          void dialog.showMessageBox({
            type: 'info',
            message: `Sunwell Studio ${version}`,
            detail: `Electron ${process.versions.electron}, Chromium ${process.versions.chrome}, Node ${process.versions.node}`,
            buttons: ['Close'],
          }),
      },
    ],
  };
}
