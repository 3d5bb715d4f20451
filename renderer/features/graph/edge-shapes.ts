import type { PlacedScene } from '#renderer/state/graph-state.svelte.ts';
import { nodeHeight, rowHeight } from './geometry.ts';
import type { Box, Geometry } from './geometry.ts';

/** What edges are drawn with: a canvas path, or a list of commands that becomes an SVG path. */
export interface Pen {
  moveTo(x: number, y: number): void;
  lineTo(x: number, y: number): void;
  bezierCurveTo(ax: number, ay: number, bx: number, by: number, x: number, y: number): void;
}

/** The shapes of all edges of a placed scene. An edge is its index among the scene's dependencies. */
export interface EdgeShapes {
  readonly count: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
  /** Upper and lower end of each edge. */
  readonly least: Float32Array;
  readonly most: Float32Array;
  trace(edge: number, pen: Pen): void;
}

export function edgeShapes({ scene, places }: PlacedScene, geometry: Geometry): EdgeShapes {
  const { dependencyStart, dependencies, items } = scene;
  const { passStarts, passes } = places;
  const { left, top, nodeWidth, columnWidth, gutter, middle } = geometry;
  const count = dependencies.length;
  const to = new Int32Array(count);
  for (let item = 0; item < items.length; item++) {
    to.fill(item, dependencyStart[item], dependencyStart[item + 1]);
  }
  const centre = (item: number): number => top[item]! + nodeHeight / 2;
  const passAt = (k: number): number => middle + passes[k]! * rowHeight;
  const least = new Float32Array(count);
  const most = new Float32Array(count);
  for (let edge = 0; edge < count; edge++) {
    const [a, b] = [centre(dependencies[edge]!), centre(to[edge]!)];
    least[edge] = Math.min(a, b);
    most[edge] = Math.max(a, b);
    for (let k = passStarts[edge]!; k < passStarts[edge + 1]!; k++) {
      least[edge] = Math.min(least[edge]!, passAt(k));
      most[edge] = Math.max(most[edge]!, passAt(k));
    }
  }

  function trace(edge: number, pen: Pen): void {
    const [source, target] = [dependencies[edge]!, to[edge]!];
    let x = left[source]! + nodeWidth;
    let y = centre(source);
    pen.moveTo(x, y);
    if (items[source]!.column >= items[target]!.column) {
      // Within one column an edge leaves and arrives on the right: a curve to the left would cut through nodes.
      const reach = x + 10 + Math.min(gutter, Math.abs(centre(target) - y) / 6);
      const end = centre(target) + (source === target ? 14 : 0);
      pen.bezierCurveTo(reach, y, reach, end, x, end);
      return;
    }
    const curve = (toX: number, toY: number): void => {
      const bend = (x + toX) / 2;
      pen.bezierCurveTo(bend, y, bend, toY, toX, toY);
      x = toX;
      y = toY;
    };
    let passed = items[source]!.column;
    for (let k = passStarts[edge]!; k < passStarts[edge + 1]!; k++) {
      passed++;
      curve(passed * columnWidth + gutter / 2, passAt(k));
      x += nodeWidth;
      pen.lineTo(x, y);
    }
    curve(left[target]!, centre(target));
  }
  return { count, from: dependencies, to, least, most, trace };
}

/** An edge as an SVG path. */
export function svgPath(shapes: EdgeShapes, edge: number): string {
  const parts: string[] = [];
  shapes.trace(edge, {
    moveTo: (...at) => parts.push(`M${at.join(' ')}`),
    lineTo: (...at) => parts.push(`L${at.join(' ')}`),
    bezierCurveTo: (...at) => parts.push(`C${at.join(' ')}`),
  });
  return parts.join('');
}

/** Whether any part of an edge may be in a part of the canvas. */
export function isNear(shapes: EdgeShapes, geometry: Geometry, edge: number, box: Box): boolean {
  return (
    shapes.most[edge]! >= box.y &&
    shapes.least[edge]! <= box.y + box.height &&
    geometry.left[shapes.from[edge]!]! <= box.x + box.width &&
    geometry.left[shapes.to[edge]!]! + geometry.nodeWidth + geometry.gutter >= box.x
  );
}

/** The edge that passes nearest to a point, within a distance. */
export function edgeAt(
  shapes: EdgeShapes,
  geometry: Geometry,
  point: { x: number; y: number },
  distance: number,
): number | undefined {
  const box = {
    ...{ x: point.x - distance, y: point.y - distance },
    ...{ width: 2 * distance, height: 2 * distance },
  };
  let nearest: number | undefined;
  let best = distance;
  for (let edge = 0; edge < shapes.count; edge++) {
    if (!isNear(shapes, geometry, edge, box)) continue;
    const away = distanceTo(shapes, edge, point);
    if (away < best) [nearest, best] = [edge, away];
  }
  return nearest;
}

const samples = 16;

function distanceTo(shapes: EdgeShapes, edge: number, point: { x: number; y: number }): number {
  let best = Infinity;
  let [x, y] = [0, 0];
  const line = (toX: number, toY: number): void => {
    best = Math.min(best, toSegment(point, x, y, toX, toY));
    [x, y] = [toX, toY];
  };
  shapes.trace(edge, {
    moveTo: (toX, toY) => ([x, y] = [toX, toY]),
    lineTo: line,
    bezierCurveTo: (ax, ay, bx, by, toX, toY) => {
      const [x0, y0] = [x, y];
      for (let i = 1; i <= samples; i++) {
        const t = i / samples;
        const u = 1 - t;
        const at = (p0: number, p1: number, p2: number, p3: number): number =>
          u * u * u * p0 + 3 * u * u * t * p1 + 3 * u * t * t * p2 + t * t * t * p3;
        line(at(x0, ax, bx, toX), at(y0, ay, by, toY));
      }
    },
  });
  return best;
}

function toSegment(
  { x, y }: { x: number; y: number },
  ax: number,
  ay: number,
  bx: number,
  by: number,
): number {
  const [dx, dy] = [bx - ax, by - ay];
  const length = dx * dx + dy * dy;
  const t = length === 0 ? 0 : Math.min(1, Math.max(0, ((x - ax) * dx + (y - ay) * dy) / length));
  return Math.hypot(x - ax - t * dx, y - ay - t * dy);
}
