import type { Studio } from '#renderer/state/studio.svelte.ts';
import type { MenuGroups } from '#renderer/ui/menu-action.ts';
import { librariesOf, libraryOf } from '#renderer/state/graph-scene.ts';
import { copyExport, exportFormats, saveExport } from './graph-exports.ts';
import { openDeclaration } from './edge-declaration.ts';
import type { Stage } from './stage.svelte.ts';

/** What can be done, as a menu lists it. */
export type GraphActions = MenuGroups;

/** What can be done with one item of the graph. */
export function itemActions(studio: Studio, stage: Stage, key: string): GraphActions {
  const { tab } = stage;
  const { graph } = tab;
  const drawn = tab.drawing?.byKey.get(key);
  const item = stage.placed?.scene.items[stage.placed.scene.indexOf.get(key) ?? -1];
  if (!drawn) {
    const { subject } = item ?? {};
    if (subject?.kind === 'group') {
      return [[{ title: `Expand ${item!.title}`, choose: () => graph.toggleLibrary(subject.library) }]];
    }
    if (subject?.kind !== 'source') return [];
    const { file } = subject;
    const entry = studio.workspace.entry(file);
    return entry ? [[{ title: `Open ${file}`, choose: () => studio.openFile(entry.file) }]] : [];
  }
  const { origin } = drawn.skill;
  const { pathStart, focus } = graph;
  const library = libraryOf(drawn, tab.document.file);
  return [
    [
      {
        title: 'Show in the inspector',
        key: 'Enter',
        choose: () => {
          stage.select(key);
          studio.panes.show('inspector');
        },
      },
      ...(studio.workspace.entry(origin.file)
        ? [
            {
              title: `Open the text at line ${origin.line}`,
              choose: () => studio.openAt({ ...origin, endLine: origin.line, endColumn: origin.column }),
            },
          ]
        : []),
      { title: 'Copy the name', choose: () => copy(studio, key) },
    ],
    [
      {
        ...{ title: 'Show only what it needs and what needs it', key: 'F' },
        choose: () => {
          stage.select(key);
          void stage.focus({ kind: 'lineage', key, depth: Infinity });
        },
      },
      { title: 'Start a path here', choose: () => graph.startPath(key) },
      ...(pathStart !== undefined && pathStart !== key
        ? [
            {
              title: `Show the path to ${pathStart}`,
              choose: () => void stage.focus({ kind: 'path', from: pathStart, to: key }),
            },
          ]
        : []),
      ...(focus
        ? [{ title: 'Show the whole graph again', key: 'Esc', choose: () => void stage.focus(undefined) }]
        : []),
    ],
    [{ title: `Collapse ${library.title}`, choose: () => graph.toggleLibrary(library.id) }],
  ];
}

/** What can be done with one edge. */
export function edgeActions(studio: Studio, stage: Stage, edge: number): GraphActions {
  const ends = stage.endsOf(edge);
  const { tab } = stage;
  if (!ends) return [];
  return [
    [
      { title: 'Show what flows here', choose: () => stage.selectEdge(edge) },
      {
        title: 'Open the line that declares it',
        choose: () => void openDeclaration(studio, stage.tab, ends),
      },
      ...(tab.drawing?.byKey.has(ends.from) && tab.drawing.byKey.has(ends.to)
        ? [
            {
              ...{ title: 'Remove the dependency', key: 'Del' },
              choose: () => void studio.graphEdits.disconnect(tab, ends),
            },
          ]
        : []),
    ],
  ];
}

/** What can be done with the graph as a whole. */
export function graphActions(studio: Studio, stage: Stage): GraphActions {
  const { graph } = stage.tab;
  return [
    [
      { title: 'Find', key: 'Ctrl F', choose: () => graph.find(graph.query ?? '') },
      { title: 'Show the whole graph', key: '0', choose: () => stage.fit() },
      { title: 'Arrange again', choose: () => void stage.arrangeAgain() },
      {
        title: graph.mode === 'table' ? 'Show as graph' : 'Show as table',
        choose: () => graph.showAs(graph.mode === 'table' ? 'drawn' : 'table'),
      },
    ],
    ...layerActions(stage),
    ...exportActions(studio, stage),
  ];
}

/** Layers and libraries, each on or off. */
export function layerActions(stage: Stage): GraphActions {
  const { graph, drawing, document } = stage.tab;
  const libraries = drawing ? librariesOf(drawing, document.file) : [];
  return [
    [
      { title: 'Skills only', isOn: graph.layer === 'skills', choose: () => void showLayer(stage, 'skills') },
      {
        title: 'Lenses and skills',
        isOn: graph.layer === 'expertise',
        choose: () => void showLayer(stage, 'expertise'),
      },
    ],
    libraries.slice(0, 12).map(({ id, title, count }) => ({
      title: `Collapse ${title} (${count})`,
      isOn: graph.collapsed.has(id),
      choose: () => graph.toggleLibrary(id),
    })),
  ];
}

export function exportActions(studio: Studio, stage: Stage): GraphActions {
  return [
    exportFormats.map(({ id, title }) => ({
      title: `Copy as ${title}`,
      choose: () => void copyExport(studio, stage.tab, id),
    })),
    exportFormats.map(({ id, title }) => ({
      title: `Save as ${title}`,
      choose: () => saveExport(stage.tab, id),
    })),
  ];
}

export async function showLayer(stage: Stage, layer: 'skills' | 'expertise'): Promise<void> {
  stage.tab.graph.showLayer(layer);
  await stage.arrange();
  stage.fit(0.85);
}

function copy(studio: Studio, text: string): void {
  navigator.clipboard.writeText(text).then(
    () => studio.notices.tell(`Copied ${text}`),
    () => studio.notices.warn({ message: 'Cannot copy: the browser did not allow it' }),
  );
}
