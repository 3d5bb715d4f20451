/** Keys that mean something in one place only, and are no commands. */
export const placeKeys: readonly {
  readonly place: string;
  readonly rows: readonly { readonly title: string; readonly keys: readonly string[] }[];
}[] = [
  {
    place: 'In the graph',
    rows: [
      { title: 'Walk along edges and waves', keys: ['ArrowLeft', 'ArrowRight', 'ArrowUp', 'ArrowDown'] },
      { title: 'First, last skill', keys: ['Home', 'End'] },
      { title: 'Show the skill in the inspector', keys: ['Enter'] },
      { title: 'Focus on its lineage', keys: ['F'] },
      { title: 'New skill', keys: ['N'] },
      { title: 'Connect, disconnect', keys: ['C', 'Shift+C'] },
      { title: 'Add what comes after, before', keys: ['A', 'Shift+A'] },
      { title: 'Rename', keys: ['F2'] },
      { title: 'Delete the skill or the selected edge', keys: ['Delete'] },
      { title: 'Find', keys: ['Mod+F'] },
      { title: 'Zoom in, out, fit', keys: ['Plus', '-', '0'] },
      { title: 'Leave the focus, the path, the selection', keys: ['Escape'] },
    ],
  },
  {
    place: 'In the explorer',
    rows: [
      { title: 'Open', keys: ['Enter'] },
      { title: 'Open as YAML', keys: ['Alt+Enter'] },
      { title: 'Run', keys: ['Shift+Enter'] },
      { title: 'Show its problems', keys: ['Alt+P'] },
      { title: 'Copy path', keys: ['Mod+C'] },
      { title: 'Everything that can be done', keys: ['Shift+F10'] },
    ],
  },
  {
    place: 'In the tabs',
    rows: [
      { title: 'Next, previous', keys: ['ArrowRight', 'ArrowLeft'] },
      { title: 'Close', keys: ['Delete'] },
    ],
  },
];
