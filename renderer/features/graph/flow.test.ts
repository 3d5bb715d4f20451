import { describe, expect, it } from 'vitest';
import { drawGraph } from '#renderer/state/graph-drawing.ts';
import { resolvedGraph } from '#renderer/state/testing/resolved-graph.ts';
import type { SkillSketch } from '#renderer/state/testing/resolved-graph.ts';
import { columnWidthFor, fitted, flowEdges, flowNodes, zoomed } from './flow.ts';

const skill = (name: string, ...dependsOn: string[]) => ({ name, dependsOn });
const drawSkills = (skills: readonly SkillSketch[]) => drawGraph(resolvedGraph(skills));
const at = (columnWidth: number) => ({ columnWidth, file: 'a.lens' });
const none = { skill: undefined, edge: undefined };
const small = drawSkills([skill('a'), skill('b', 'a')]);
const tall = drawSkills([skill('a'), ...Array.from({ length: 40 }, (_, i) => skill(`b${i}`, 'a'))]);
const view = { width: 800, height: 600 };

describe('flowNodes()', () => {
  it('keeps the node of a skill that did not change, so that only the others are drawn again', () => {
    const before = flowNodes(small, at(200), []);
    const changed = drawSkills([skill('a'), { ...skill('b', 'a'), description: 'New' }]);
    const after = flowNodes(changed, at(200), before);
    expect(after.map((node, i) => node === before[i])).toEqual([true, false]);
    expect(flowNodes(changed, at(220), after).some((node, i) => node === after[i])).toBe(false);
  });
});

describe('flowEdges()', () => {
  it('lights the edges of the selected skill and loops those inside a cycle', () => {
    const cycle = drawSkills([skill('a', 'b'), skill('b', 'a'), skill('c')]);
    expect(
      flowEdges(small, 200, { ...none, skill: 'a' }).map(({ source, target, class: name }) => [
        source,
        target,
        name,
      ]),
    ).toEqual([['a', 'b', 'lit']]);
    expect(flowEdges(cycle, 200, none).map(({ data }) => data?.isLoop)).toEqual([true, true]);
  });

  it('carries the keys that flow', () => {
    const drawing = drawSkills([
      { name: 'a', produces: ['x', 'y'] },
      { name: 'b', dependsOn: ['a'], requires: ['y'] },
    ]);
    const [edge] = flowEdges(drawing, 200, { ...none, edge: 'a\nb' });
    expect([edge?.data?.keys, edge?.selected, edge?.class]).toEqual([['y'], true, 'lit']);
  });
});

describe('fitted()', () => {
  it('shows a small graph in its own size below the headings', () => {
    expect(fitted(small, view, 0.85)).toEqual({ x: 0, y: 40, zoom: 1 });
  });

  it('starts a graph that is too tall at the middle of its first wave', () => {
    const { y, zoom } = fitted(tall, view, 0.85);
    const middle = y + zoom * (flowNodes(tall, at(columnWidthFor(tall, 800)), [])[0]?.position.y ?? 0);
    expect(zoom).toBe(0.85);
    expect(Math.abs(middle - view.height / 2)).toBeLessThan(60);
  });

  it('shows all of it when asked to', () => {
    expect(fitted(tall, view, 0.1).zoom).toBeLessThan(0.2);
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
