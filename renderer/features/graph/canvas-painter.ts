import type { GraphOverlay } from '#renderer/state/graph-overlay.svelte.ts';
import type { GraphScene } from '#renderer/state/graph-scene.ts';
import type { GraphViewport } from '#renderer/state/tabs.svelte.ts';
import { isNear } from './edge-shapes.ts';
import type { EdgeShapes } from './edge-shapes.ts';
import { itemsIn, nodeHeight, rangeOf } from './geometry.ts';
import type { Box, Geometry, Size } from './geometry.ts';
import { statusOf } from './status.ts';
import type { StatusTone } from './status.ts';

const colourNames = [
  ...(['line', 'line2', 'raised', 'ink', 'ink3', 'accent', 'focus', 'accent-soft'] as const),
  ...(['run', 'skip', 'rejudge', 'unknown', 'fail', 'live', 'ok'] as const),
];
type Colours = Readonly<Record<(typeof colourNames)[number], string>>;

/** What the canvas behind the nodes shows. */
export interface CanvasContent {
  readonly scene: GraphScene;
  readonly geometry: Geometry;
  readonly shapes: EdgeShapes;
  readonly overlay: GraphOverlay;
  readonly nodes: 'none' | 'names' | 'blocks';
  readonly found: ReadonlySet<string>;
  readonly selected: number | undefined;
}

/** Edges in one stroke: longer paths take the browser more than in proportion. */
const batch = 48;
/** With more edges than this in view, curves around skills are no more to be seen than straight lines. */
const mostCurves = 600;
/** Room drawn around the view, so that panning moves a picture instead of drawing one. */
export const margin = 256;

/** Draws a part of the graph; the context's origin is the corner of that part. */
export function paint(
  context: CanvasRenderingContext2D,
  content: CanvasContent,
  { viewport, size, colours }: { viewport: GraphViewport; size: Size; colours: Colours },
): void {
  const { zoom } = viewport;
  const ratio = context.canvas.width / (size.width + 2 * margin);
  const box: Box = {
    ...{ x: (-viewport.x - margin) / zoom, y: (-viewport.y - margin) / zoom },
    ...{ width: (size.width + 2 * margin) / zoom, height: (size.height + 2 * margin) / zoom },
  };
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.clearRect(0, 0, context.canvas.width, context.canvas.height);
  context.setTransform(
    ratio * zoom,
    0,
    0,
    ratio * zoom,
    ratio * (viewport.x + margin),
    ratio * (viewport.y + margin),
  );
  if (content.nodes !== 'blocks') paintEdges(context, content, box, { zoom, colours });
  if (content.nodes !== 'none') paintNodes(context, content, box, { zoom, colours });
}

function paintEdges(
  context: CanvasRenderingContext2D,
  { shapes, geometry }: CanvasContent,
  box: Box,
  { zoom, colours }: { zoom: number; colours: Colours },
): void {
  const near: number[] = [];
  for (let edge = 0; edge < shapes.count; edge++) {
    if (isNear(shapes, geometry, edge, box)) near.push(edge);
  }
  context.strokeStyle = colours.line2;
  context.lineWidth = Math.max(1.5, 0.7 / zoom);
  // Quiet edges stay quiet where there are many.
  context.globalAlpha =
    near.length > mostCurves ? 0.3 : near.length > 300 ? 0.5 : near.length > 80 ? 0.75 : 1;
  near.forEach((edge, i) => {
    if (i % batch === 0) context.beginPath();
    if (near.length <= mostCurves) shapes.trace(edge, context);
    else straight(edge);
    if (i % batch === batch - 1 || i === near.length - 1) context.stroke();
  });
  context.globalAlpha = 1;

  function straight(edge: number): void {
    const [from, to] = [shapes.from[edge]!, shapes.to[edge]!];
    context.moveTo(geometry.left[from]! + geometry.nodeWidth, geometry.top[from]! + nodeHeight / 2);
    context.lineTo(geometry.left[to]!, geometry.top[to]! + nodeHeight / 2);
  }
}

function paintNodes(
  context: CanvasRenderingContext2D,
  content: CanvasContent,
  box: Box,
  { zoom, colours }: { zoom: number; colours: Colours },
): void {
  const { scene, geometry, overlay, nodes, found, selected } = content;
  const { left, top, nodeWidth } = geometry;
  const hasText = nodes === 'names' && zoom >= 0.28;
  const letters = Math.floor((nodeWidth - 32) / 10.5);
  context.font = '600 20px "Inter Variable", system-ui, sans-serif';
  context.textBaseline = 'middle';
  for (const item of itemsIn(geometry, rangeOf(geometry, box), Infinity) ?? []) {
    const { key, title, subject } = scene.items[item]!;
    const [x, y] = [left[item]!, top[item]!];
    const status = subject.kind === 'skill' ? statusOf(overlay.get(key)) : undefined;
    const hasFailed = subject.kind === 'skill' && subject.drawn.problems.errors.length > 0;
    const tone: StatusTone | undefined = status?.tone ?? (hasFailed ? 'fail' : undefined);
    const isFound = found.has(key);
    if (nodes === 'blocks') {
      context.fillStyle = isFound ? colours.accent : tone ? colours[tone] : colours.line2;
      context.fillRect(x, y, nodeWidth, nodeHeight);
    } else {
      context.fillStyle = isFound ? colours['accent-soft'] : colours.raised;
      context.strokeStyle = isFound ? colours.accent : colours.line2;
      context.lineWidth = isFound ? 2 / zoom : 1 / zoom;
      context.fillRect(x, y, nodeWidth, nodeHeight);
      context.strokeRect(x, y, nodeWidth, nodeHeight);
      context.fillStyle = tone ? colours[tone] : colours.line2;
      context.fillRect(x, y + 10, Math.max(4, 2 / zoom), nodeHeight - 20);
    }
    if (item === selected) {
      context.strokeStyle = colours.focus;
      context.lineWidth = 2.5 / zoom;
      context.strokeRect(x, y, nodeWidth, nodeHeight);
    }
    if (!hasText) continue;
    context.fillStyle = colours.ink;
    context.fillText(
      title.length > letters ? `${title.slice(0, letters - 1)}…` : title,
      x + 16,
      y + (status ? 26 : 37),
    );
    if (!status) continue;
    context.fillStyle = colours[status.tone];
    context.fillText(status.word, x + 16, y + 52);
  }
}

/** The theme's colours as a canvas knows them: it cannot read custom properties by itself. */
export function readColours(within: HTMLElement): Colours {
  const probe = document.createElement('span');
  within.append(probe);
  const entries = colourNames.map((name) => {
    probe.style.color = `var(--${name})`;
    return [name, getComputedStyle(probe).color] as const;
  });
  probe.remove();
  return Object.fromEntries(entries) as Colours;
}
