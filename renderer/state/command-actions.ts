import type { CommandContext, CommandId } from '#shared/commands.ts';
import type { CommandAction } from './commands.svelte.ts';
import type { Edits } from './edits.ts';
import { graphCommands } from './graph-commands.ts';
import type { GraphEdits } from './graph-edits.svelte.ts';
import type { Palette } from './palette.svelte.ts';
import type { Panes, PanelTab } from './panes.svelte.ts';
import type { SettingsView } from './settings.svelte.ts';
import type { TabEditor, Tabs } from './tabs.svelte.ts';
import type { WorkspaceView } from './workspace.svelte.ts';

/** The parts of the studio that commands act on. */
interface CommandTarget {
  readonly workspace: WorkspaceView;
  readonly tabs: Tabs;
  readonly edits: Edits;
  readonly graphEdits: GraphEdits;
  readonly panes: Panes;
  readonly palette: Palette;
  readonly settings: SettingsView;
  readonly page: 'documents' | 'history' | 'cache' | 'agent-skills' | 'library';
  askForFolder(): Promise<void>;
  openSample(): Promise<void>;
  save(): Promise<void>;
  compareWithSaved(): void;
  compareWithHead(): Promise<void>;
  showDialog(dialog: 'settings' | 'shortcuts' | 'new-lens'): void;
  showSettings(page: 'keys'): void;
  takeTour(): Promise<void>;
  showDocuments(): void;
  showPanel(tab: PanelTab): void;
  showPage(page: 'history' | 'cache' | 'agent-skills' | 'library'): void;
  startRun(): Promise<void>;
}

/** Whether each context of the table is there in this window. */
export function commandContexts(studio: CommandTarget): Readonly<Record<CommandContext, () => boolean>> {
  const hasTab = (): boolean => studio.tabs.active !== undefined;
  return {
    always: () => true,
    workspace: () => studio.workspace.snapshot !== undefined,
    tab: hasTab,
    text: () => hasTab() && studio.page === 'documents',
    lens: () => studio.tabs.active?.hasGraph === true,
    running: () => studio.tabs.active?.lensRun?.live?.isElsewhere === false,
  };
}

/** What each command of the table does in this window. */
export function commandActions(studio: CommandTarget): Readonly<Record<CommandId, CommandAction>> {
  const { panes } = studio;
  /** Behind a page nobody would see what it does. */
  const inDocuments = (run: () => void): CommandAction => ({
    run: () => {
      studio.showDocuments();
      run();
    },
  });
  /** What is open behind a page is shown with the documents, not closed unseen. */
  const toggled = (isUp: () => boolean, toggle: () => void): CommandAction => ({
    run: () => {
      const wasSeen = studio.page === 'documents';
      studio.showDocuments();
      if (wasSeen || !isUp()) toggle();
    },
  });
  return {
    'workspace.open-folder': { run: () => studio.askForFolder() },
    'workspace.open-sample': { run: () => studio.openSample() },
    'lens.new': { run: () => studio.showDialog('new-lens') },
    'file.save': { run: () => studio.save() },
    'file.close': {
      run: async () => {
        // The page in front is closed first: a file behind it would go unseen.
        if (studio.page !== 'documents') return studio.showDocuments();
        if (studio.tabs.active) await studio.tabs.close(studio.tabs.active);
      },
    },
    'file.compare-saved': { run: () => studio.compareWithSaved() },
    'file.compare-head': { run: () => studio.compareWithHead() },
    'file.next-tab': inDocuments(() => studio.tabs.step(1)),
    'file.previous-tab': inDocuments(() => studio.tabs.step(-1)),
    // Also where there is nothing to undo: else the code editor would take the key and undo by its own memory.
    'edit.undo': { run: () => studio.edits.undo() },
    'edit.redo': { run: () => studio.edits.redo() },
    'edit.format': inEditor(studio, 'format'),
    'edit.rename-symbol': inEditor(studio, 'rename'),
    'edit.definition': inEditor(studio, 'definition'),
    'edit.references': inEditor(studio, 'references'),
    'edit.block': inEditor(studio, 'block'),
    'view.quick-open': { run: () => studio.palette.open('everything') },
    'view.palette': { run: () => studio.palette.open('commands') },
    'view.graph': inDocuments(() => studio.tabs.active?.show('graph')),
    'view.yaml': inDocuments(() => studio.tabs.active?.show('yaml')),
    'view.form': inDocuments(() => studio.tabs.active?.show('form')),
    'view.toggle-explorer': { run: () => panes.toggle('explorer') },
    'view.toggle-inspector': toggled(
      () => panes.isOpen('inspector'),
      () => panes.toggle('inspector'),
    ),
    'view.toggle-outline': { run: () => toggleOutline(studio) },
    'view.toggle-problems': toggled(
      () => panes.isOpen('panel') && panes.panelTab === 'problems',
      () => panes.togglePanel('problems'),
    ),
    'view.toggle-panel': toggled(
      () => panes.isOpen('panel'),
      () => panes.toggle('panel'),
    ),
    'view.plan': { run: () => studio.showPanel('plan') },
    'view.run': { run: () => studio.showPanel('run') },
    'view.changes': { run: () => studio.showPanel('changes') },
    'view.tests': { run: () => studio.showPanel('tests') },
    'view.history': { run: () => studio.showPage('history') },
    'view.cache': { run: () => studio.showPage('cache') },
    'view.agent-skills': { run: () => studio.showPage('agent-skills') },
    'view.library': { run: () => studio.showPage('library') },
    ...graphCommands({
      tabs: studio.tabs,
      graphEdits: studio.graphEdits,
      showsDocuments: () => studio.page === 'documents',
    }),
    // The form for the inputs takes the key itself.
    'run.start': {
      run: () => studio.startRun(),
      isEnabled: () => studio.tabs.active?.lensRun?.isAskingForInputs !== true,
    },
    'run.stop': { run: () => studio.tabs.active?.lensRun?.live?.cancel() },
    'view.theme-system': { run: () => studio.settings.chooseTheme('system') },
    'view.theme-light': { run: () => studio.settings.chooseTheme('light') },
    'view.theme-dark': { run: () => studio.settings.chooseTheme('dark') },
    'view.theme-contrast': { run: () => studio.settings.chooseTheme('contrast') },
    'app.settings': { run: () => studio.showDialog('settings') },
    'app.keymap': { run: () => studio.showSettings('keys') },
    'help.tour': { run: () => studio.takeTour() },
    'help.shortcuts': { run: () => studio.showDialog('shortcuts') },
  };
}

/** The outline stands beside the text: from another view the text comes up with it. */
function toggleOutline(studio: CommandTarget): void {
  const { panes } = studio;
  const tab = studio.tabs.active;
  if (!tab) return;
  const isSeen = studio.page === 'documents';
  studio.showDocuments();
  const isUp = isSeen && tab.view === 'yaml' && panes.isOpen('outline') && panes.isOpen('explorer');
  tab.show('yaml');
  if (isUp) {
    panes.toggle('outline');
    // The focus may have been in what is gone now.
    tab.editor?.focus();
  } else panes.bringUp('outline');
}

/** Only lenses, libraries and fixtures have names that the editor knows. */
function inEditor({ tabs }: CommandTarget, action: Parameters<TabEditor['run']>[0]): CommandAction {
  return {
    run: () => tabs.active?.editor?.run(action),
    isEnabled: () => tabs.active?.hasNames === true && tabs.active.editor !== undefined,
  };
}
