import type { CommandId } from '#shared/commands.ts';
import type { CommandAction } from './commands.svelte.ts';
import type { GraphEdits } from './graph-edits.svelte.ts';
import { libraryOf } from './graph-scene.ts';
import type { GraphWish } from './graph-state.svelte.ts';
import type { Tab, Tabs } from './tabs.svelte.ts';

interface GraphCommandTarget {
  readonly tabs: Tabs;
  readonly graphEdits: GraphEdits;
  /** Whether the open documents are in front, and not a page of the studio's own. */
  readonly showsDocuments: () => boolean;
}

type GraphCommandId = Extract<CommandId, `graph.${string}`>;
type ExportFormat = Extract<GraphWish, { kind: 'export' }>['format'];

/** What the commands of the graph do, for the graph in front and the skill selected in it. */
export function graphCommands(studio: GraphCommandTarget): Readonly<Record<GraphCommandId, CommandAction>> {
  const { graphEdits } = studio;
  /** The tab whose graph is on the screen. */
  const shown = (): Tab | undefined => {
    const tab = studio.tabs.active;
    return tab?.hasGraph && tab.view === 'graph' && studio.showsDocuments() ? tab : undefined;
  };
  const onGraph = (run: (tab: Tab) => unknown): CommandAction => ({
    run: async () => {
      const tab = shown();
      if (tab) await run(tab);
    },
    isEnabled: () => shown()?.drawing !== undefined,
  });
  const onSkill = (run: (tab: Tab, key: string) => unknown): CommandAction => ({
    run: async () => {
      const tab = shown();
      const key = tab?.selectedSkill?.key;
      if (tab && key !== undefined) await run(tab, key);
    },
    isEnabled: () => shown()?.selectedSkill !== undefined,
  });
  const wish = (asked: GraphWish): CommandAction => onGraph((tab) => tab.graph.ask(asked));
  const exported = (how: 'copy' | 'save', format: ExportFormat): CommandAction =>
    wish({ kind: 'export', how, format });
  return {
    'graph.add-skill': {
      run: () => {
        const tab = studio.tabs.active;
        if (tab) graphEdits.askForSkill(tab);
      },
      isEnabled: () => studio.tabs.active?.hasGraph === true && studio.showsDocuments(),
    },
    'graph.connect': onSkill((tab, key) => graphEdits.ask({ kind: 'connect', tab, key })),
    'graph.disconnect': onSkill((tab, key) => graphEdits.ask({ kind: 'disconnect', tab, key })),
    'graph.rename': onSkill((tab, key) => tab.graph.rename(key)),
    'graph.delete': onSkill((tab, key) => graphEdits.askToDelete(tab, key)),
    'graph.group': onGraph((tab) => graphEdits.ask({ kind: 'group', tab, key: tab.selectedSkill?.key })),
    'graph.find': wish({ kind: 'find' }),
    'graph.focus': onSkill((tab, key) =>
      tab.graph.ask({ kind: 'focus', focus: { kind: 'lineage', key, depth: Infinity } }),
    ),
    'graph.whole': wish({ kind: 'focus', focus: undefined }),
    'graph.fit': wish({ kind: 'fit' }),
    'graph.arrange': wish({ kind: 'arrange' }),
    'graph.table': onGraph(({ graph }) => graph.showAs(graph.mode === 'table' ? 'drawn' : 'table')),
    'graph.layers': onGraph(({ graph }) =>
      graph.ask({ kind: 'layer', layer: graph.layer === 'skills' ? 'expertise' : 'skills' }),
    ),
    'graph.collapse': onSkill((tab) =>
      tab.graph.toggleLibrary(libraryOf(tab.selectedSkill!, tab.document.file).id),
    ),
    'graph.copy-mermaid': exported('copy', 'mermaid'),
    'graph.copy-svg': exported('copy', 'svg'),
    'graph.copy-dot': exported('copy', 'dot'),
    'graph.copy-json': exported('copy', 'json'),
    'graph.save-mermaid': exported('save', 'mermaid'),
    'graph.save-svg': exported('save', 'svg'),
    'graph.save-dot': exported('save', 'dot'),
    'graph.save-json': exported('save', 'json'),
  };
}
