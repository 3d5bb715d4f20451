interface CommandDescription {
  readonly title: string;
  /** `Mod` is Ctrl, or Cmd on macOS. */
  readonly key?: string;
  /** The key in a browser, where the browser keeps `key` for itself. */
  readonly webKey?: string;
  /** Another key for the same command, for those who know it from elsewhere. */
  readonly otherKey?: string;
}

/** Every command by its id: the palette, the shortcuts page and the desktop menu all read this table. */
export const commandTable = {
  'workspace.open-folder': { title: 'Open folder…', key: 'Mod+O' },
  'workspace.open-sample': { title: 'Open the sample workspace' },
  'lens.new': { title: 'New lens…', key: 'Mod+Alt+N' },
  'file.save': { title: 'Save', key: 'Mod+S' },
  'edit.undo': { title: 'Undo', key: 'Mod+Z' },
  'edit.redo': { title: 'Redo', key: 'Mod+Shift+Z', otherKey: 'Mod+Y' },
  'file.close': { title: 'Close tab', key: 'Mod+W', webKey: 'Alt+Shift+W' },
  'file.next-tab': { title: 'Next tab', key: 'Ctrl+Tab', webKey: 'Alt+PageDown' },
  'file.previous-tab': { title: 'Previous tab', key: 'Ctrl+Shift+Tab', webKey: 'Alt+PageUp' },
  'view.quick-open': { title: 'Search lenses, skills and commands', key: 'Mod+P' },
  'view.palette': { title: 'Show all commands', key: 'Mod+Shift+P' },
  'view.graph': { title: 'Show as graph', key: 'Alt+1' },
  'view.yaml': { title: 'Show as YAML', key: 'Alt+2' },
  'view.form': { title: 'Show as form', key: 'Alt+6' },
  'view.toggle-explorer': { title: 'Show or hide the explorer', key: 'Mod+B' },
  'view.toggle-inspector': { title: 'Show or hide the inspector', key: 'Mod+Alt+B' },
  'view.toggle-problems': { title: 'Show or hide the problems', key: 'Mod+Shift+M' },
  'view.toggle-panel': { title: 'Show or hide the panel', key: 'Mod+J' },
  'view.plan': { title: 'Show the plan', key: 'Alt+3' },
  'view.run': { title: 'Show the run', key: 'Alt+4' },
  'view.changes': { title: 'Review proposed changes', key: 'Alt+5' },
  'view.history': { title: 'Show the history of runs', key: 'Mod+Shift+H' },
  'view.cache': { title: 'Show the cache' },
  'view.agent-skills': { title: 'Show Agent Skills' },
  'run.start': { title: 'Run', key: 'Mod+Enter' },
  'run.stop': { title: 'Stop the run', key: 'Mod+Shift+Backspace' },
  'view.theme-system': { title: 'Theme: as the system' },
  'view.theme-light': { title: 'Theme: light' },
  'view.theme-dark': { title: 'Theme: dark' },
  'view.theme-contrast': { title: 'Theme: high contrast' },
  'app.settings': { title: 'Settings', key: 'Mod+,' },
  'help.tour': { title: 'Take the tour' },
  'help.shortcuts': { title: 'Keyboard shortcuts', key: 'F1' },
} as const satisfies Record<string, CommandDescription>;

export type CommandId = keyof typeof commandTable;

export const commandIds = Object.keys(commandTable) as CommandId[];

export function isCommandId(text: string): text is CommandId {
  return Object.hasOwn(commandTable, text);
}

/** The key that runs a command in this kind of host, if it has one. */
export function keyOf(id: CommandId, host: 'desktop' | 'browser'): string | undefined {
  const command: CommandDescription = commandTable[id];
  return host === 'browser' ? (command.webKey ?? command.key) : command.key;
}

/** Every key that runs a command in this kind of host; the first is the one to print. */
export function keysOf(id: CommandId, host: 'desktop' | 'browser'): string[] {
  const { otherKey }: CommandDescription = commandTable[id];
  return [keyOf(id, host), otherKey].filter((key) => key !== undefined);
}
