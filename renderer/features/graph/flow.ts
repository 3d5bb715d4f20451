import { Position } from '@xyflow/svelte';
import type { Edge, Node } from '@xyflow/svelte';
import type { DrawnSkill, SkillDrawing } from '#renderer/state/skill-drawing.ts';
import type { GraphViewport } from '#renderer/state/tabs.svelte.ts';

export type SkillFlowNode = Node<{ skill: DrawnSkill; hasLongName: boolean }, 'skill'>;

export type LoopFlowEdge = Edge<{ nodeWidth: number }, 'loop'>;

export const headingHeight = 40;
const nodeHeight = 74;
const rowHeight = 98;
const gap = 26;
const top = 20;
const letterWidth = 6.9;
const column = { narrowest: 180, widest: 252 };

/** Columns share the width of the view as long as a node stays readable and does not sprawl. */
export function columnWidthFor(drawing: SkillDrawing, viewWidth: number): number {
  const share = viewWidth / Math.max(1, drawing.waves.length);
  return Math.round(Math.min(column.widest, Math.max(column.narrowest, share)));
}

/** Sizes and handles are given up front: xyflow would mount every node once to measure it otherwise. */
export function flowNodes(
  drawing: SkillDrawing,
  columnWidth: number,
  before: readonly SkillFlowNode[],
): SkillFlowNode[] {
  const old = new Map(before.map((node) => [node.id, node]));
  return drawing.skills.map((skill) => {
    const node = old.get(skill.id);
    const isKept = node?.width === columnWidth - gap && isSame(node.data.skill, skill);
    return isKept ? node : flowNode(skill, drawing, columnWidth);
  });
}

function flowNode(skill: DrawnSkill, drawing: SkillDrawing, columnWidth: number): SkillFlowNode {
  const nodeWidth = columnWidth - gap;
  const handle = { y: nodeHeight / 2, width: 1, height: 1 };
  return {
    id: skill.id,
    type: 'skill',
    data: { skill, hasLongName: skill.name.length * letterWidth > nodeWidth - 29 },
    position: { x: skill.column * columnWidth + gap / 2, y: skill.row * rowHeight + top },
    width: nodeWidth,
    height: nodeHeight,
    measured: { width: nodeWidth, height: nodeHeight },
    handles: [
      { ...handle, type: 'target', position: Position.Left, x: 0 },
      { ...handle, type: 'source', position: Position.Right, x: nodeWidth },
    ],
    ariaLabel: `${skill.name}, ${drawing.waves[skill.column]?.title ?? ''}`,
  };
}

/** Edges from a skill to those that need it; the ones at the selected skill are lit. */
export function flowEdges(
  drawing: SkillDrawing,
  columnWidth: number,
  selectedId: string | undefined,
): Edge[] {
  const loop = { type: 'loop', data: { nodeWidth: columnWidth - gap } };
  return drawing.skills.flatMap((skill) =>
    skill.dependsOn.map((source): Edge => {
      const isLit = source === selectedId || skill.id === selectedId;
      return {
        ...{ id: `${source}\n${skill.id}`, source, target: skill.id, selectable: false, focusable: false },
        ...(drawing.byId.get(source)?.column === skill.column ? loop : {}),
        ...(isLit ? { class: 'lit', zIndex: 1 } : {}),
      };
    }),
  );
}

/** The viewport that shows the graph from its first wave, as much of it as `smallest` lets be seen at once. */
export function fitted(
  drawing: SkillDrawing,
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

function isSame(a: DrawnSkill, b: DrawnSkill): boolean {
  return (
    a.name === b.name &&
    a.description === b.description &&
    a.column === b.column &&
    a.row === b.row &&
    a.missing.length === b.missing.length
  );
}
