import type { CommandId } from '#shared/commands.ts';
import type { CommandAction } from './commands.svelte.ts';
import type { Edits } from './edits.ts';
import type { Palette } from './palette.svelte.ts';
import type { Panes, PanelTab } from './panes.svelte.ts';
import type { SettingsView } from './settings.svelte.ts';
import type { Tabs } from './tabs.svelte.ts';
import type { WorkspaceView } from './workspace.svelte.ts';

/** The parts of the studio that commands act on. */
interface CommandTarget {
  readonly workspace: WorkspaceView;
  readonly tabs: Tabs;
  readonly edits: Edits;
  readonly panes: Panes;
  readonly palette: Palette;
  readonly settings: SettingsView;
  readonly page: 'documents' | 'history' | 'cache' | 'agent-skills';
  askForFolder(): Promise<void>;
  openSample(): Promise<void>;
  save(): Promise<void>;
  showDialog(dialog: 'settings' | 'shortcuts' | 'new-lens'): void;
  takeTour(): Promise<void>;
  showPanel(tab: PanelTab): void;
  showPage(page: 'history' | 'cache' | 'agent-skills'): void;
  startRun(): Promise<void>;
}

/** What each command of the table does in this window. */
export function commandActions(studio: CommandTarget): Readonly<Record<CommandId, CommandAction>> {
  const hasTab = (): boolean => studio.tabs.active !== undefined;
  const hasText = (): boolean => hasTab() && studio.page === 'documents';
  const hasGraph = (): boolean => studio.tabs.active?.hasGraph === true;
  const isRunning = (): boolean => studio.tabs.active?.lensRun?.run.isRunning === true;
  return {
    'workspace.open-folder': { run: () => studio.askForFolder() },
    'workspace.open-sample': { run: () => studio.openSample() },
    'lens.new': {
      run: () => studio.showDialog('new-lens'),
      isEnabled: () => studio.workspace.snapshot !== undefined,
    },
    'file.save': { run: () => studio.save(), isEnabled: hasTab },
    // Also where there is nothing to undo: else the code editor would take the key and undo by its own memory.
    'edit.undo': { run: () => studio.edits.undo(), isEnabled: hasText },
    'edit.redo': { run: () => studio.edits.redo(), isEnabled: hasText },
    'file.close': {
      run: async () => {
        if (studio.tabs.active) await studio.tabs.close(studio.tabs.active);
      },
      isEnabled: hasTab,
    },
    'file.next-tab': { run: () => studio.tabs.step(1), isEnabled: hasTab },
    'file.previous-tab': { run: () => studio.tabs.step(-1), isEnabled: hasTab },
    'view.quick-open': { run: () => studio.palette.open('everything') },
    'view.palette': { run: () => studio.palette.open('commands') },
    'view.graph': { run: () => studio.tabs.active?.show('graph'), isEnabled: hasGraph },
    'view.yaml': { run: () => studio.tabs.active?.show('yaml'), isEnabled: hasGraph },
    'view.form': { run: () => studio.tabs.active?.show('form'), isEnabled: hasGraph },
    'view.toggle-explorer': { run: () => studio.panes.toggle('explorer') },
    'view.toggle-inspector': { run: () => studio.panes.toggle('inspector'), isEnabled: hasTab },
    'view.toggle-problems': { run: () => studio.panes.togglePanel('problems') },
    'view.toggle-panel': { run: () => studio.panes.toggle('panel') },
    'view.plan': { run: () => studio.showPanel('plan'), isEnabled: hasGraph },
    'view.run': { run: () => studio.showPanel('run'), isEnabled: hasGraph },
    'view.changes': { run: () => studio.showPanel('changes'), isEnabled: hasGraph },
    'view.history': { run: () => studio.showPage('history') },
    'view.cache': { run: () => studio.showPage('cache') },
    'view.agent-skills': { run: () => studio.showPage('agent-skills') },
    'run.start': { run: () => studio.startRun(), isEnabled: hasGraph },
    'run.stop': { run: () => studio.tabs.active?.lensRun?.run.cancel(), isEnabled: isRunning },
    'view.theme-system': { run: () => studio.settings.chooseTheme('system') },
    'view.theme-light': { run: () => studio.settings.chooseTheme('light') },
    'view.theme-dark': { run: () => studio.settings.chooseTheme('dark') },
    'view.theme-contrast': { run: () => studio.settings.chooseTheme('contrast') },
    'app.settings': { run: () => studio.showDialog('settings') },
    'help.tour': { run: () => studio.takeTour() },
    'help.shortcuts': { run: () => studio.showDialog('shortcuts') },
  };
}
