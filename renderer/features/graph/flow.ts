import { Position } from '@xyflow/svelte';
import type { Edge, Node } from '@xyflow/svelte';
import { flowingKeys } from '#renderer/state/context-keys.ts';
import type { DrawnSkill, GraphDrawing } from '#renderer/state/graph-drawing.ts';
import { sourceOf } from '#renderer/state/skill-source.ts';
import type { SkillSource } from '#renderer/state/skill-source.ts';
import type { GraphViewport } from '#renderer/state/tabs.svelte.ts';

/** What a node shows. */
export interface SkillFace {
  readonly name: string;
  readonly description: string | undefined;
  readonly source: SkillSource | undefined;
  readonly errorCount: number;
  readonly warningCount: number;
  readonly hasLongName: boolean;
}

export type SkillFlowNode = Node<{ face: SkillFace }, 'skill'>;

/** An edge inside one column goes around; `keys` are the context keys that flow along it. */
export type SkillFlowEdge = Edge<{ isLoop: boolean; nodeWidth: number; keys: readonly string[] }, 'skill'>;

export const headingHeight = 40;
const nodeHeight = 74;
const rowHeight = 98;
const gap = 26;
const top = 20;
const letterWidth = 6.9;
const column = { narrowest: 180, widest: 252 };

/** Columns share the width of the view as long as a node stays readable and does not sprawl. */
export function columnWidthFor(drawing: GraphDrawing, viewWidth: number): number {
  const share = viewWidth / Math.max(1, drawing.waves.length);
  return Math.round(Math.min(column.widest, Math.max(column.narrowest, share)));
}

/** Sizes and handles are given up front: xyflow would mount every node once to measure it otherwise. */
export function flowNodes(
  drawing: GraphDrawing,
  { columnWidth, file }: { columnWidth: number; file: string },
  before: readonly SkillFlowNode[],
): SkillFlowNode[] {
  const old = new Map(before.map((node) => [node.id, node]));
  return drawing.skills.map((drawn) => {
    const made = flowNode(drawn, drawing.waves[drawn.column]?.title ?? '', { columnWidth, file });
    const known = old.get(drawn.key);
    // A node that is the same object is not drawn again.
    return known && isSame(known, made) ? known : made;
  });
}

function flowNode(
  { key, skill, column, row, problems }: DrawnSkill,
  wave: string,
  { columnWidth, file }: { columnWidth: number; file: string },
): SkillFlowNode {
  const nodeWidth = columnWidth - gap;
  const source = sourceOf(skill, file);
  const [errorCount, warningCount] = [problems.errors.length, problems.warnings.length];
  const marks = [source?.text, counted(errorCount, 'error'), counted(warningCount, 'warning')].filter(
    Boolean,
  );
  const handle = { y: nodeHeight / 2, width: 1, height: 1 };
  return {
    id: key,
    type: 'skill',
    data: {
      face: {
        ...{ name: key, description: skill.description, source, errorCount, warningCount },
        hasLongName: key.length * letterWidth > nodeWidth - 29,
      },
    },
    position: { x: column * columnWidth + gap / 2, y: row * rowHeight + top },
    width: nodeWidth,
    height: nodeHeight,
    measured: { width: nodeWidth, height: nodeHeight },
    handles: [
      { ...handle, type: 'target', position: Position.Left, x: 0 },
      { ...handle, type: 'source', position: Position.Right, x: nodeWidth },
    ],
    ariaLabel: [key, wave, ...marks].join(', '),
  };
}

/** Edges from a skill to those that need it; the selected one and those at the selected skill are lit. */
export function flowEdges(
  drawing: GraphDrawing,
  columnWidth: number,
  selected: { readonly skill: string | undefined; readonly edge: string | undefined },
): SkillFlowEdge[] {
  return drawing.skills.flatMap((to) =>
    to.dependsOn.map((source): SkillFlowEdge => {
      const from = drawing.byKey.get(source)!;
      const id = `${source}\n${to.key}`;
      const isSelected = id === selected.edge;
      const isLit = isSelected || source === selected.skill || to.key === selected.skill;
      return {
        ...{ id, source, target: to.key, type: 'skill', selectable: false, focusable: false },
        ...{ selected: isSelected, ...(isLit ? { class: 'lit', zIndex: 1 } : {}) },
        data: {
          ...{ isLoop: from.column === to.column, nodeWidth: columnWidth - gap },
          keys: flowingKeys(from, to),
        },
      };
    }),
  );
}

/** The viewport that shows the graph from its first wave, as much of it as `smallest` lets be seen at once. */
export function fitted(
  drawing: GraphDrawing,
  view: { width: number; height: number },
  smallest: number,
): GraphViewport {
  const width = drawing.waves.length * columnWidthFor(drawing, view.width);
  const height = drawing.rowCount * rowHeight + top;
  const room = Math.max(1, view.height - headingHeight);
  const zoom = Math.max(smallest, Math.min(1, view.width / width, room / height));
  // Columns share one middle line: a graph taller than the view would start with nothing in its first wave.
  const above = Math.min(0, (room - height * zoom) / 2);
  return { x: 0, y: headingHeight + above, zoom };
}

/** Zooms around the middle of the view. */
export function zoomed(
  from: GraphViewport,
  factor: number,
  view: { width: number; height: number },
): GraphViewport {
  const zoom = Math.min(2, Math.max(0.1, from.zoom * factor));
  const scale = zoom / from.zoom;
  const [cx, cy] = [view.width / 2, view.height / 2];
  return { x: cx - (cx - from.x) * scale, y: cy - (cy - from.y) * scale, zoom };
}

function isSame(a: SkillFlowNode, b: SkillFlowNode): boolean {
  return (
    a.ariaLabel === b.ariaLabel &&
    a.data.face.description === b.data.face.description &&
    a.width === b.width &&
    a.position.x === b.position.x &&
    a.position.y === b.position.y
  );
}

function counted(count: number, one: string): string {
  return count === 0 ? '' : `${count} ${one}${count === 1 ? '' : 's'}`;
}
