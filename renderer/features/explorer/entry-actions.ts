import type { WorkspaceEntry } from '#shared/model/workspace.ts';
import type { Studio } from '#renderer/state/studio.svelte.ts';

/** One thing to do with an entry of the explorer, with its key while the entry has the focus. */
export interface EntryAction {
  readonly title: string;
  readonly key: string;
  readonly run: () => void;
}

/** Everything that can be done with an entry: the menu lists it, and the tree answers its keys. */
export function entryActions(studio: Studio, entry: WorkspaceEntry): EntryAction[] {
  const { file, kind } = entry;
  const hasGraph = kind !== 'agent-skill';
  return [
    { title: 'Open', key: 'Enter', run: () => studio.openFile(file) },
    ...(hasGraph ? [{ title: 'Open as YAML', key: 'Alt+Enter', run: () => openAsText(studio, entry) }] : []),
    ...(hasGraph ? [{ title: 'Run', key: 'Shift+Enter', run: () => void runEntry(studio, entry) }] : []),
    { title: 'Show its problems', key: 'Alt+P', run: () => showProblems(studio, entry) },
    { title: 'Copy path', key: 'Mod+C', run: () => void copyPath(studio, file) },
  ];
}

function openAsText(studio: Studio, { file }: WorkspaceEntry): void {
  studio.openFile(file);
  studio.tabs.find(file)?.show('yaml');
}

async function runEntry(studio: Studio, { file }: WorkspaceEntry): Promise<void> {
  studio.openFile(file);
  // What runs is what the plan says, so it must be there first.
  await studio.tabs.active?.lensRun?.plan.ask();
  if (studio.tabs.active?.document.file === file) await studio.startRun();
}

function showProblems(studio: Studio, { file }: WorkspaceEntry): void {
  studio.openFile(file);
  studio.showPanel('problems');
}

async function copyPath(studio: Studio, file: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(file);
    studio.notices.speak(`Copied ${file}`);
  } catch {
    studio.notices.warn({ message: `The clipboard cannot be written. The path is ${file}` });
  }
}
