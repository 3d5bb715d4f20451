import { Position } from '@xyflow/svelte';
import type { Edge, Node } from '@xyflow/svelte';
import type { DrawnSkill, SkillDrawing } from '#renderer/state/skill-drawing.ts';
import type { GraphViewport } from '#renderer/state/tabs.svelte.ts';

export type SkillFlowNode = Node<{ skill: DrawnSkill }, 'skill'>;

export const columnWidth = 252;
export const headingHeight = 40;
const nodeWidth = 216;
const nodeHeight = 80;
const rowHeight = 104;
const margin = { x: (columnWidth - nodeWidth) / 2, y: 20 };

/** Sizes and handles are given up front: xyflow would mount every node once to measure it otherwise. */
export function flowNodes(drawing: SkillDrawing, before: readonly SkillFlowNode[]): SkillFlowNode[] {
  const old = new Map(before.map((node) => [node.id, node]));
  return drawing.skills.map((skill) => {
    const node = old.get(skill.id);
    return node && isSame(node.data.skill, skill) ? node : flowNode(skill, drawing);
  });
}

function flowNode(skill: DrawnSkill, drawing: SkillDrawing): SkillFlowNode {
  const handle = { y: nodeHeight / 2, width: 1, height: 1 };
  return {
    id: skill.id,
    type: 'skill',
    data: { skill },
    position: { x: skill.column * columnWidth + margin.x, y: skill.row * rowHeight + margin.y },
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

/** Edges from a skill to those that need it; the ones at the selected skill are lit and drawn last. */
export function flowEdges(drawing: SkillDrawing, selectedId: string | undefined): Edge[] {
  const edges = drawing.skills.flatMap((skill) =>
    skill.dependsOn.map((source): Edge => {
      const isLit = source === selectedId || skill.id === selectedId;
      return {
        ...{ id: `${source}\n${skill.id}`, source, target: skill.id, selectable: false, focusable: false },
        ...(isLit ? { class: 'lit', zIndex: 1 } : {}),
      };
    }),
  );
  return edges;
}

/** The viewport that shows the whole graph below the headings, never larger than life. */
export function fitted(drawing: SkillDrawing, view: { width: number; height: number }): GraphViewport {
  const width = drawing.waves.length * columnWidth;
  const height = drawing.rowCount * rowHeight + margin.y;
  const room = Math.max(1, view.height - headingHeight);
  const zoom = Math.max(0.2, Math.min(1, view.width / width, room / height));
  return { x: 0, y: headingHeight, zoom };
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
