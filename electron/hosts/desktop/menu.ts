import { app, dialog, Menu, shell } from 'electron';
import type { MenuItemConstructorOptions } from 'electron';
import { commandTable, keyOf } from '#shared/commands.ts';
import type { CommandId } from '#shared/commands.ts';

const isMac = process.platform === 'darwin';

export interface MenuOptions {
  readonly version: string;
  readonly logFile: string;
  /** Hands a command of the palette to the page in front. */
  readonly send: (command: CommandId) => void;
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

function fileMenu({ send }: MenuOptions): MenuItemConstructorOptions {
  return {
    label: '&File',
    submenu: [
      command('lens.new', send),
      { type: 'separator' },
      command('workspace.open-folder', send),
      command('workspace.open-sample', send),
      { type: 'separator' },
      command('file.save', send),
      command('file.close', send),
      { type: 'separator' },
      command('app.settings', send),
      { type: 'separator' },
      // Not Ctrl+W, which closes a tab of the page.
      { role: 'close', label: 'Close window', accelerator: 'CommandOrControl+Shift+W' },
      ...(isMac ? [] : [{ role: 'quit' as const }]),
    ],
  };
}

/** Undo and redo are the page's own: those of the browser would change a field behind the text's back. */
function editMenu({ send }: MenuOptions): MenuItemConstructorOptions {
  return {
    label: '&Edit',
    submenu: [
      command('edit.undo', send),
      command('edit.redo', send),
      { type: 'separator' },
      { role: 'cut' },
      { role: 'copy' },
      { role: 'paste' },
      { role: 'selectAll' },
    ],
  };
}

function runMenu({ send }: MenuOptions): MenuItemConstructorOptions {
  return {
    label: '&Run',
    submenu: [
      command('run.start', send),
      command('run.stop', send),
      { type: 'separator' },
      command('view.plan', send),
      command('view.run', send),
      command('view.changes', send),
      { type: 'separator' },
      command('view.history', send),
      command('view.cache', send),
    ],
  };
}

function viewMenu({ send }: MenuOptions): MenuItemConstructorOptions {
  return {
    label: '&View',
    submenu: [
      command('view.palette', send),
      command('view.quick-open', send),
      { type: 'separator' },
      command('view.theme-light', send),
      command('view.theme-dark', send),
      command('view.theme-contrast', send),
      command('view.theme-system', send),
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
function command(id: CommandId, send: MenuOptions['send']): MenuItemConstructorOptions {
  const key = keyOf(id, 'desktop');
  return {
    id,
    label: commandTable[id].title,
    click: () => send(id),
    ...(key && { accelerator: key.replace('Mod', 'CommandOrControl') }),
  };
}

function helpMenu({ version, logFile, send }: MenuOptions): MenuItemConstructorOptions {
  return {
    role: 'help',
    submenu: [
      command('help.tour', send),
      command('help.shortcuts', send),
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
