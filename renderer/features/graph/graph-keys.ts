import type { Stage } from './stage.svelte.ts';

/** Whether a key press is for a field or a button: what it means there is not ours to say. */
function isForControl({ target }: KeyboardEvent): boolean {
  return target instanceof Element && target.closest('input, textarea, button') !== null;
}

const directions: Readonly<Record<string, Parameters<Stage['walk']>[0]>> = {
  ArrowLeft: 'left',
  ArrowRight: 'right',
  ArrowUp: 'up',
  ArrowDown: 'down',
  Home: 'first',
  End: 'last',
};

interface KeyTarget {
  readonly stage: Stage;
  /** Shows the current item in the inspector. */
  readonly open: (key: string) => void;
  /** Puts the keyboard on the current item. */
  readonly moved: () => void;
}

/** Does what a key asks for in the graph; answers whether it asked for anything. */
export function graphKey(event: KeyboardEvent, { stage, open, moved }: KeyTarget): boolean {
  if (event.ctrlKey || event.metaKey || event.altKey || isForControl(event)) return false;
  const { graph } = stage.tab;
  const direction = directions[event.key];
  const current = stage.placed?.scene.items[stage.current ?? -1]?.key;
  if (direction) {
    if (stage.walk(direction) === undefined && current !== undefined) stage.reveal(current);
    moved();
    return true;
  }
  switch (event.key) {
    case 'Enter':
    case ' ':
      if (current !== undefined) open(current);
      return true;
    case '+':
    case '=':
      stage.zoom(1.25);
      return true;
    case '-':
      stage.zoom(0.8);
      return true;
    case '0':
      stage.fit();
      return true;
    case 'f':
    case 'F':
      if (current !== undefined && stage.tab.drawing?.byKey.has(current)) {
        stage.select(current);
        void stage.focus({ kind: 'lineage', key: current, depth: Infinity }).then(moved);
      }
      return true;
    case 'Escape':
      if (graph.selectedEdge) stage.selectEdge(undefined);
      else if (graph.focus || graph.pathStart !== undefined) void stage.focus(undefined).then(moved);
      else stage.select(undefined);
      return true;
    default:
      return false;
  }
}
