/** When a command can run, with the sentence that the list of keys prints. */
export const commandContexts = {
  always: '',
  workspace: 'a folder is open',
  tab: 'a file is open',
  text: 'a file is in front',
  lens: 'a lens or library is in front',
  running: 'a run goes on',
} as const;
export type CommandContext = keyof typeof commandContexts;

interface CommandDescription {
  readonly title: string;
  /** Where lists of keys put it. */
  readonly group: 'Files' | 'Edit' | 'Graph' | 'View' | 'Run' | 'Help';
  /** `Mod` is Ctrl, or Cmd on macOS; what has no key is in the palette, and can be given one. */
  readonly key?: string;
  /** The key in a browser, where the browser keeps `key` for itself. */
  readonly webKey?: string;
  /** Another key for the same command, for those who know it from elsewhere. */
  readonly otherKey?: string;
  readonly when: CommandContext;
}

/** Every command by its id: the palette, the lists of keys and the desktop menu all read this table. */
export const commandTable = {
  'workspace.open-folder': { title: 'Open folder…', group: 'Files', key: 'Mod+O', when: 'always' },
  'workspace.open-sample': {
    title: 'Open the sample workspace',
    group: 'Files',
    key: 'Mod+Alt+O',
    when: 'always',
  },
  'lens.new': { title: 'New lens…', group: 'Files', key: 'Mod+Alt+N', when: 'workspace' },
  'file.save': { title: 'Save', group: 'Files', key: 'Mod+S', when: 'tab' },
  'file.close': { title: 'Close tab', group: 'Files', key: 'Mod+W', webKey: 'Alt+Shift+W', when: 'tab' },
  'file.next-tab': {
    title: 'Next tab',
    group: 'Files',
    key: 'Ctrl+Tab',
    webKey: 'Alt+PageDown',
    when: 'tab',
  },
  'file.previous-tab': {
    title: 'Previous tab',
    group: 'Files',
    key: 'Ctrl+Shift+Tab',
    webKey: 'Alt+PageUp',
    when: 'tab',
  },
  'file.compare-saved': { title: 'Compare with saved', group: 'Files', key: 'Alt+Shift+S', when: 'text' },
  'file.compare-head': {
    title: 'Compare with the last commit',
    group: 'Files',
    key: 'Alt+Shift+H',
    when: 'text',
  },
  'edit.undo': { title: 'Undo', group: 'Edit', key: 'Mod+Z', when: 'text' },
  'edit.redo': { title: 'Redo', group: 'Edit', key: 'Mod+Shift+Z', otherKey: 'Mod+Y', when: 'text' },
  'edit.format': { title: 'Format document', group: 'Edit', when: 'text' },
  'edit.rename-symbol': { title: 'Rename symbol', group: 'Edit', when: 'text' },
  'edit.definition': { title: 'Go to definition', group: 'Edit', when: 'text' },
  'edit.references': { title: 'Find references', group: 'Edit', when: 'text' },
  'edit.block': { title: 'Edit block in its own language', group: 'Edit', when: 'text' },
  'view.quick-open': {
    title: 'Search files, skills and commands',
    group: 'View',
    key: 'Mod+P',
    when: 'always',
  },
  'view.palette': { title: 'Show all commands', group: 'View', key: 'Mod+Shift+P', when: 'always' },
  'view.graph': { title: 'Show as graph', group: 'View', key: 'Alt+1', when: 'lens' },
  'view.yaml': { title: 'Show as YAML', group: 'View', key: 'Alt+2', when: 'lens' },
  'view.form': { title: 'Show as form', group: 'View', key: 'Alt+6', when: 'lens' },
  'view.toggle-explorer': { title: 'Show or hide the explorer', group: 'View', key: 'Mod+B', when: 'always' },
  'view.toggle-inspector': {
    title: 'Show or hide the inspector',
    group: 'View',
    key: 'Mod+Alt+B',
    when: 'tab',
  },
  'view.toggle-outline': { title: 'Show or hide the outline', group: 'View', key: 'Alt+O', when: 'lens' },
  'view.toggle-problems': {
    title: 'Show or hide the problems',
    group: 'View',
    key: 'Mod+Shift+M',
    when: 'always',
  },
  'view.toggle-panel': { title: 'Show or hide the panel', group: 'View', key: 'Mod+J', when: 'always' },
  'view.plan': { title: 'Show the plan', group: 'Run', key: 'Alt+3', when: 'lens' },
  'view.run': { title: 'Show the run', group: 'Run', key: 'Alt+4', when: 'lens' },
  'view.changes': { title: 'Review proposed changes', group: 'Run', key: 'Alt+5', when: 'lens' },
  'view.tests': { title: 'Show the tests', group: 'Run', key: 'Alt+T', when: 'lens' },
  'view.history': { title: 'Show the history of runs', group: 'Run', key: 'Mod+Shift+H', when: 'always' },
  'view.cache': { title: 'Show the cache', group: 'Run', key: 'Alt+8', when: 'always' },
  'view.agent-skills': { title: 'Show Agent Skills', group: 'View', key: 'Alt+9', when: 'always' },
  'view.library': { title: 'Browse the library', group: 'View', key: 'Alt+7', when: 'always' },
  'graph.add-skill': { title: 'New skill…', group: 'Graph', key: 'Alt+N', when: 'lens' },
  'graph.connect': { title: 'Connect the selected skill…', group: 'Graph', key: 'Mod+Alt+C', when: 'lens' },
  'graph.disconnect': {
    title: 'Disconnect the selected skill…',
    group: 'Graph',
    key: 'Mod+Alt+D',
    when: 'lens',
  },
  'graph.rename': { title: 'Rename the selected skill', group: 'Graph', key: 'F2', when: 'lens' },
  'graph.delete': {
    title: 'Delete the selected skill',
    group: 'Graph',
    key: 'Mod+Alt+Backspace',
    when: 'lens',
  },
  'graph.group': { title: 'Move skills into a library…', group: 'Graph', key: 'Mod+Alt+G', when: 'lens' },
  'graph.find': { title: 'Find in the graph', group: 'Graph', key: 'Mod+Alt+F', when: 'lens' },
  'graph.focus': {
    title: 'Show only the lineage of the selected skill',
    group: 'Graph',
    key: 'Alt+Shift+F',
    when: 'lens',
  },
  'graph.whole': { title: 'Show the whole graph again', group: 'Graph', key: 'Alt+Shift+G', when: 'lens' },
  'graph.fit': { title: 'Fit the graph into the view', group: 'Graph', key: 'Alt+0', when: 'lens' },
  'graph.arrange': { title: 'Arrange the graph again', group: 'Graph', key: 'Alt+Shift+A', when: 'lens' },
  'graph.table': {
    title: 'Show the graph as a table, or drawn',
    group: 'Graph',
    key: 'Alt+Shift+T',
    when: 'lens',
  },
  'graph.layers': {
    title: 'Show lenses and skills, or skills only',
    group: 'Graph',
    key: 'Alt+Shift+L',
    when: 'lens',
  },
  'graph.collapse': {
    title: 'Collapse or expand the selected skill’s library',
    group: 'Graph',
    key: 'Alt+Shift+C',
    when: 'lens',
  },
  'graph.copy-mermaid': { title: 'Copy the graph as Mermaid', group: 'Graph', when: 'lens' },
  'graph.copy-svg': { title: 'Copy the graph as SVG', group: 'Graph', when: 'lens' },
  'graph.copy-dot': { title: 'Copy the graph as DOT', group: 'Graph', when: 'lens' },
  'graph.copy-json': { title: 'Copy the graph as JSON', group: 'Graph', when: 'lens' },
  'graph.save-mermaid': { title: 'Save the graph as Mermaid', group: 'Graph', when: 'lens' },
  'graph.save-svg': { title: 'Save the graph as SVG', group: 'Graph', when: 'lens' },
  'graph.save-dot': { title: 'Save the graph as DOT', group: 'Graph', when: 'lens' },
  'graph.save-json': { title: 'Save the graph as JSON', group: 'Graph', when: 'lens' },
  'run.start': { title: 'Run', group: 'Run', key: 'Mod+Enter', when: 'lens' },
  'run.stop': { title: 'Stop the run', group: 'Run', key: 'Mod+Shift+Backspace', when: 'running' },
  'view.theme-system': { title: 'Theme: as the system', group: 'View', key: 'Mod+Alt+0', when: 'always' },
  'view.theme-light': { title: 'Theme: light', group: 'View', key: 'Mod+Alt+1', when: 'always' },
  'view.theme-dark': { title: 'Theme: dark', group: 'View', key: 'Mod+Alt+2', when: 'always' },
  'view.theme-contrast': { title: 'Theme: high contrast', group: 'View', key: 'Mod+Alt+3', when: 'always' },
  'app.settings': { title: 'Settings', group: 'Help', key: 'Mod+,', when: 'always' },
  'app.keymap': { title: 'Change keyboard shortcuts', group: 'Help', key: 'Mod+Alt+K', when: 'always' },
  'help.tour': { title: 'Take the tour', group: 'Help', key: 'Shift+F1', when: 'always' },
  'help.shortcuts': {
    title: 'Keyboard shortcuts',
    group: 'Help',
    key: 'F1',
    otherKey: 'Shift+?',
    when: 'always',
  },
} as const satisfies Record<string, CommandDescription>;

export type CommandId = keyof typeof commandTable;

export const commandIds = Object.keys(commandTable) as CommandId[];

export function isCommandId(text: string): text is CommandId {
  return Object.hasOwn(commandTable, text);
}

/** Keys that the user chose in place of a command's own; null for none. */
export type ChosenKeys = Readonly<Record<string, string | null>>;

/** Every key that runs a command in this kind of host; the first is the one to print. */
export function keysOf(id: CommandId, host: 'desktop' | 'browser', chosen: ChosenKeys = {}): string[] {
  const own = Object.hasOwn(chosen, id) ? chosen[id] : undefined;
  if (own !== undefined) return own === null ? [] : [own];
  const { key, webKey, otherKey }: CommandDescription = commandTable[id];
  return [host === 'browser' ? (webKey ?? key) : key, otherKey].filter((known) => known !== undefined);
}
