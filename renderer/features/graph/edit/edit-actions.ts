import type { Studio } from '#renderer/state/studio.svelte.ts';
import type { Tab } from '#renderer/state/tabs.svelte.ts';
import type { GraphActions } from '../graph-actions.ts';

/** What changes one skill, the same in the drawn graph and in the table. */
export function skillEdits({ graphEdits }: Studio, tab: Tab, key: string): GraphActions {
  return [
    [
      { title: 'Connect to…', key: 'C', choose: () => graphEdits.ask({ kind: 'connect', tab, key }) },
      {
        title: 'Disconnect from…',
        key: 'Shift C',
        choose: () => graphEdits.ask({ kind: 'disconnect', tab, key }),
      },
      {
        title: 'Add what comes after it…',
        key: 'A',
        choose: () => graphEdits.ask({ kind: 'fitting', tab, key, side: 'out' }),
      },
      {
        title: 'Add what comes before it…',
        key: 'Shift A',
        choose: () => graphEdits.ask({ kind: 'fitting', tab, key, side: 'in' }),
      },
    ],
    [
      { title: 'Rename', key: 'F2', choose: () => tab.graph.rename(key) },
      { title: 'Move into a library…', choose: () => graphEdits.ask({ kind: 'group', tab, key }) },
      { title: 'Delete', key: 'Del', choose: () => void graphEdits.askToDelete(tab, key) },
    ],
  ];
}

/** What changes the graph as a whole. */
export function graphEditActions(studio: Studio, tab: Tab): GraphActions {
  return [
    [
      { title: 'New skill…', key: 'N', choose: () => studio.graphEdits.askForSkill(tab) },
      { title: 'Browse the library', choose: () => studio.showPage('library') },
    ],
  ];
}

/** Does what a key asks for with the skill or edge in hand; answers whether it asked for anything. */
export function editKey(
  event: KeyboardEvent,
  { graphEdits }: Studio,
  tab: Tab,
  key: string | undefined,
): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey) return false;
  const skill = key !== undefined && tab.drawing?.byKey.has(key) ? key : undefined;
  const edge = tab.graph.selectedEdge;
  switch (event.code === 'KeyC' || event.code === 'KeyA' || event.code === 'KeyN' ? event.code : event.key) {
    case 'KeyN':
      if (!event.shiftKey) graphEdits.askForSkill(tab);
      return !event.shiftKey;
    case 'KeyC':
      if (skill !== undefined)
        graphEdits.ask({ kind: event.shiftKey ? 'disconnect' : 'connect', tab, key: skill });
      return skill !== undefined;
    case 'KeyA':
      if (skill !== undefined)
        graphEdits.ask({ kind: 'fitting', tab, key: skill, side: event.shiftKey ? 'in' : 'out' });
      return skill !== undefined;
    case 'F2':
      if (skill !== undefined) tab.graph.rename(skill);
      return skill !== undefined;
    case 'Delete':
    case 'Backspace':
      if (edge) void graphEdits.disconnect(tab, edge);
      else if (skill !== undefined) void graphEdits.askToDelete(tab, skill);
      return edge !== undefined || skill !== undefined;
    default:
      return false;
  }
}
