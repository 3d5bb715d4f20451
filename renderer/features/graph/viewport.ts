import type { GraphViewport } from '#renderer/state/tabs.svelte.ts';
import { headingHeight } from './geometry.ts';
import type { Box, Size } from './geometry.ts';

/** Text is readable down to the first; the second is as far as a graph of thousands needs. */
export const smallestZoom = { atFirst: 0.85, onDemand: 0.02 };
export const largestZoom = 2;
/** What the tools and the run bar cover at the bottom of a view. */
const footHeight = 92;
const toolsWidth = 176;

/** The viewport that shows the graph from its first wave, as much of it as `smallest` lets be seen at once. */
export function fitted(graph: Size, view: Size, smallest: number): GraphViewport {
  const { width } = graph;
  const room = Math.max(1, view.height - headingHeight - footHeight);
  const zoom = Math.max(smallest, Math.min(1, view.width / width, room / graph.height));
  // Columns share one middle line: a graph taller than the view would start with nothing in its first wave.
  const above = Math.min(0, (room - graph.height * zoom) / 2);
  // A first wave that reaches down to the tools starts beside them, as far as no other leaves the view for it.
  const free = view.width - width * zoom;
  const beside = above < 0 ? toolsWidth : 0;
  return { x: free < 0 ? beside : Math.min(free, beside), y: headingHeight + above, zoom };
}

/** Zooms around the middle of the view. */
export function zoomed(from: GraphViewport, factor: number, view: Size): GraphViewport {
  const zoom = Math.min(largestZoom, Math.max(smallestZoom.onDemand, from.zoom * factor));
  const scale = zoom / from.zoom;
  const [cx, cy] = [view.width / 2, view.height / 2];
  return { x: cx - (cx - from.x) * scale, y: cy - (cy - from.y) * scale, zoom };
}

/** The part of the canvas that a view shows. */
export function boxOf({ x, y, zoom }: GraphViewport, { width, height }: Size): Box {
  return { x: -x / zoom, y: -y / zoom, width: width / zoom, height: height / zoom };
}

/** Moves as little as needed to have a box in the view with some room around it. */
export function revealed(from: GraphViewport, box: Box, view: Size): GraphViewport {
  const room = 24;
  const along = (offset: number, start: number, length: number, least: number, most: number): number => {
    const first = offset + start * from.zoom;
    const last = first + length * from.zoom;
    if (first < least + room) return offset + least + room - first;
    return last > most - room ? offset - (last - most + room) : offset;
  };
  const x = along(from.x, box.x, box.width, 0, view.width);
  const y = along(
    from.y,
    box.y,
    box.height,
    headingHeight,
    Math.max(headingHeight, view.height - footHeight),
  );
  return x === from.x && y === from.y ? from : { ...from, x, y };
}

/** Puts a point of the canvas in the middle of the view. */
export function centred(from: GraphViewport, point: { x: number; y: number }, view: Size): GraphViewport {
  return {
    x: view.width / 2 - point.x * from.zoom,
    y: view.height / 2 - point.y * from.zoom,
    zoom: from.zoom,
  };
}
