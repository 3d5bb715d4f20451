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
/** Room drawn around the view, so that panning moves a picture instead of drawing one. */
export const margin = 256;

/** Draws one region of the canvas; the canvas reaches `margin` beyond the view on every side. */
export function paint(
  context: CanvasRenderingContext2D,
  content: CanvasContent,
  { viewport, region, colours }: { viewport: GraphViewport; region: Box; colours: Colours },
): void {
  const { zoom } = viewport;
  const ratio = window.devicePixelRatio;
  const [originX, originY] = [viewport.x + margin, viewport.y + margin];
  const box: Box = {
    ...{ x: (region.x - originX) / zoom, y: (region.y - originY) / zoom },
    ...{ width: region.width / zoom, height: region.height / zoom },
  };
  context.save();
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.beginPath();
  context.rect(region.x, region.y, region.width, region.height);
  context.clip();
  context.clearRect(region.x, region.y, region.width, region.height);
  context.setTransform(ratio * zoom, 0, 0, ratio * zoom, ratio * originX, ratio * originY);
  if (content.nodes !== 'blocks') paintEdges(context, content, box, { zoom, colours });
  if (content.nodes !== 'none') paintNodes(context, content, box, { zoom, colours });
  context.restore();
}

/** Moves what is drawn by whole pixels and answers the regions that this left without a picture. */
export function shift(context: CanvasRenderingContext2D, dx: number, dy: number, whole: Size): Box[] {
  const ratio = window.devicePixelRatio;
  context.setTransform(1, 0, 0, 1, 0, 0);
  context.globalCompositeOperation = 'copy';
  context.drawImage(context.canvas, dx * ratio, dy * ratio);
  context.globalCompositeOperation = 'source-over';
  const { width, height } = whole;
  return [
    { x: dx > 0 ? 0 : width + dx, y: 0, width: Math.abs(dx), height },
    { x: 0, y: dy > 0 ? 0 : height + dy, width, height: Math.abs(dy) },
  ].filter((region) => region.width > 0 && region.height > 0);
}

function paintEdges(
  context: CanvasRenderingContext2D,
  { shapes, geometry, nodes }: CanvasContent,
  box: Box,
  { zoom, colours }: { zoom: number; colours: Colours },
): void {
  /** From afar, curves around skills are no more to be seen than straight lines, and take far longer. */
  const isFar = nodes !== 'none';
  const near: number[] = [];
  for (let edge = 0; edge < shapes.count; edge++) {
    if (isNear(shapes, geometry, edge, box)) near.push(edge);
  }
  context.strokeStyle = colours.line2;
  context.lineWidth = Math.max(1.5, 0.7 / zoom);
  // Quiet edges stay quiet where there are many. By all of them: strips drawn later must look like those drawn before.
  context.globalAlpha = isFar ? 0.35 : shapes.count > 1_000 ? 0.55 : shapes.count > 200 ? 0.8 : 1;
  near.forEach((edge, i) => {
    if (i % batch === 0) context.beginPath();
    if (isFar) straight(edge);
    else shapes.trace(edge, context);
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
