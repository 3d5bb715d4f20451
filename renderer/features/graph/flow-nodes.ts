import { Position } from '@xyflow/svelte';
import type { Node } from '@xyflow/svelte';
import type { SceneItem } from '#renderer/state/graph-item.ts';
import type { GraphOverlay } from '#renderer/state/graph-overlay.svelte.ts';
import type { GraphState } from '#renderer/state/graph-state.svelte.ts';
import { sourceOf } from '#renderer/state/skill-source.ts';
import { nodeHeight } from './geometry.ts';
import type { Geometry } from './geometry.ts';

export interface ItemData extends Record<string, unknown> {
  readonly item: SceneItem;
  readonly file: string;
  readonly hasLongName: boolean;
  readonly overlay: GraphOverlay;
  readonly graph: GraphState;
  readonly onport: PortPress;
}

/** Somebody presses a port of a skill. */
export type PortPress = (key: string, side: 'in' | 'out', event: PointerEvent) => void;

export type ItemNode = Node<ItemData, 'skill' | 'box'>;

interface NodeOptions {
  readonly item: SceneItem;
  readonly index: number;
  readonly column: string;
  readonly geometry: Geometry;
  readonly file: string;
  readonly overlay: GraphOverlay;
  readonly graph: GraphState;
  readonly onport: PortPress;
}

const letterWidth = 6.9;

/** Sizes and handles are given up front: xyflow would mount every node once to measure it otherwise. */
export function itemNode(options: NodeOptions): ItemNode {
  const { item, index, column, geometry, file, overlay, graph, onport } = options;
  const { nodeWidth, left, top } = geometry;
  const handle = { y: nodeHeight / 2, width: 1, height: 1 };
  return {
    id: item.key,
    type: item.subject.kind === 'skill' ? 'skill' : 'box',
    data: {
      item,
      file,
      overlay,
      graph,
      onport,
      hasLongName: item.title.length * letterWidth > nodeWidth - 29,
    },
    position: { x: left[index]!, y: top[index]! },
    width: nodeWidth,
    height: nodeHeight,
    measured: { width: nodeWidth, height: nodeHeight },
    handles: [
      { ...handle, type: 'target', position: Position.Left, x: 0 },
      { ...handle, type: 'source', position: Position.Right, x: nodeWidth },
    ],
    ariaRole: 'group',
    ariaLabel: [item.title, column, ...marksOf(item, file)].join(', '),
    domAttributes: tabStop(false),
  };
}

/**
 * Whether the Tab key stops at a node. Spelled as xyflow spells it: beside its own `tabIndex`, a `tabindex` would be taken
 * away and set again with every change, and the keyboard would lose its place.
 */
export function tabStop(isStop: boolean): NonNullable<ItemNode['domAttributes']> {
  return { tabIndex: isStop ? 0 : -1 } as NonNullable<ItemNode['domAttributes']>;
}

/** What else there is to say of an item, in words. */
function marksOf({ subject }: SceneItem, file: string): string[] {
  switch (subject.kind) {
    case 'skill': {
      const { skill, problems } = subject.drawn;
      const source = sourceOf(skill, file)?.text ?? '';
      const counts = [counted(problems.errors.length, 'error'), counted(problems.warnings.length, 'warning')];
      return [source, ...counts].filter(Boolean);
    }
    case 'group':
      return [counted(subject.members.length, 'skill')];
    case 'source':
      return [subject.relation, counted(subject.skillCount, 'skill')].filter(Boolean);
  }
}

export function counted(count: number, one: string): string {
  return count === 0 ? '' : `${count.toLocaleString('en')} ${one}${count === 1 ? '' : 's'}`;
}
