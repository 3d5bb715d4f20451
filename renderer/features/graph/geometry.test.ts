import { describe, expect, it } from 'vitest';
import { drawGraph } from '#renderer/state/graph-drawing.ts';
import { answerLayout, layoutRequest } from '#renderer/state/graph-layout.ts';
import { buildScene } from '#renderer/state/graph-scene.ts';
import { resolvedGraph } from '#renderer/state/testing/resolved-graph.ts';
import type { SkillSketch } from '#renderer/state/testing/resolved-graph.ts';
import { edgeAt, edgeShapes, svgPath } from './edge-shapes.ts';
import { geometryOf, itemAt, itemsIn, rangeOf } from './geometry.ts';
import { boxOf, fitted, revealed, zoomed } from './viewport.ts';

const skill = (name: string, ...dependsOn: string[]) => ({ name, dependsOn });
const view = { width: 800, height: 600 };

function place(skills: readonly SkillSketch[]) {
  const shape = { layer: 'skills', collapsed: new Set<string>(), only: undefined } as const;
  const scene = buildScene(drawGraph(resolvedGraph(skills)), { file: 'a.lens', lens: undefined, ...shape });
  const placed = { scene, places: answerLayout(layoutRequest(scene, new Map())) };
  return { ...placed, geometry: geometryOf(placed, view.width), placed };
}

const small = place([skill('a'), skill('b', 'a'), skill('c', 'b', 'a')]);
const tall = place([skill('a'), ...Array.from({ length: 400 }, (_, i) => skill(`b${i}`, 'a'))]);

describe('geometryOf()', () => {
  it('shares the width among few columns and centres them on one line', () => {
    const { left, top, columnWidth, middle } = small.geometry;
    expect([columnWidth, [...left], [...top], middle]).toEqual([252, [13, 265, 517], [20, 20, 20], 57]);
  });
});

describe('itemsIn()', () => {
  it('has what is in view and not the hundreds beyond', () => {
    const { geometry } = tall;
    const box = boxOf(fitted(geometry, view, 0.85), view);
    const items = itemsIn(geometry, rangeOf(geometry, box), 200)!;
    expect(items).toContain(0);
    expect(items.length).toBeLessThan(20);
    for (const item of geometry.columnItems[1]!) {
      const isSeen = geometry.top[item]! + 74 >= box.y && geometry.top[item]! <= box.y + box.height;
      if (isSeen) expect(items).toContain(item);
    }
  });

  it('says so when there are too many', () => {
    const { geometry } = tall;
    const all = { x: 0, y: 0, width: geometry.width, height: geometry.height };
    expect(itemsIn(geometry, rangeOf(geometry, all), 200)).toBe(undefined);
    expect(itemsIn(geometry, rangeOf(geometry, all), 401)?.length).toBe(401);
  });
});

describe('edgeShapes()', () => {
  it('leads a long edge above or below the skill between its ends', () => {
    const shapes = edgeShapes(small.placed, small.geometry);
    const long = shapes.from.findIndex((from, k) => from === 0 && shapes.to[k] === 2);
    expect(svgPath(shapes, long)).toMatch(/^M239 57C252 57 252 (106|8) 265 \1L491 \1C504 \1 504 57 517 57$/);
  });

  it('finds the edge at a point, and none beside it', () => {
    const shapes = edgeShapes(small.placed, small.geometry);
    const edge = edgeAt(shapes, small.geometry, { x: 252, y: 58 }, 6)!;
    expect([shapes.from[edge], shapes.to[edge]]).toEqual([0, 1]);
    expect(edgeAt(shapes, small.geometry, { x: 252, y: 300 }, 6)).toBe(undefined);
  });
});

describe('itemAt()', () => {
  it('is the item under a point', () => {
    expect([itemAt(small.geometry, 270, 30), itemAt(small.geometry, 256, 30)]).toEqual([1, undefined]);
  });
});

describe('fitted()', () => {
  it('shows a small graph in its own size below the headings', () => {
    expect(fitted(small.geometry, view, 0.85)).toEqual({ x: 0, y: 40, zoom: 1 });
  });

  it('starts a graph that is too tall at the middle of its first wave', () => {
    const { y, zoom } = fitted(tall.geometry, view, 0.85);
    expect(zoom).toBe(0.85);
    expect(Math.abs(y + zoom * tall.geometry.top[0]! - view.height / 2)).toBeLessThan(60);
  });

  it('starts a graph that is too tall beside the tools', () => {
    expect(fitted({ width: 400, height: 900 }, view, 0.85).x).toBe(176);
    expect(fitted({ width: 800, height: 900 }, view, 0.85).x).toBeCloseTo(120);
    expect(fitted({ width: 4000, height: 900 }, view, 0.85).x).toBe(176);
  });

  it('shows all of it when asked to, between the headings and the tools', () => {
    const { zoom } = fitted(tall.geometry, view, 0.01);
    expect(zoom * tall.geometry.height).toBeLessThanOrEqual(view.height - 132);
  });
});

describe('zoomed()', () => {
  it('keeps the middle of the view where it is, and stays within limits', () => {
    const from = { x: 10, y: 20, zoom: 1 };
    const to = zoomed(from, 1.25, view);
    expect((400 - to.x) / to.zoom).toBeCloseTo((400 - from.x) / from.zoom);
    expect(zoomed(from, 100, view).zoom).toBe(2);
  });
});

describe('revealed()', () => {
  const from = { x: 0, y: 0, zoom: 1 };

  it('moves nothing for what is in view', () => {
    expect(revealed(from, { x: 100, y: 100, width: 50, height: 50 }, view)).toBe(from);
  });

  it('moves as little as needed for what is not', () => {
    expect(revealed(from, { x: 790, y: -100, width: 50, height: 50 }, view)).toEqual({
      x: -64,
      y: 164,
      zoom: 1,
    });
  });

  it('brings forth what the tools cover', () => {
    expect(revealed(from, { x: 100, y: 480, width: 50, height: 74 }, view).y).toBe(-70);
  });
});
