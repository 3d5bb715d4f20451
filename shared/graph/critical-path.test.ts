import fc from 'fast-check';
import { expect, test } from 'vitest';
import { criticalPath } from './critical-path.ts';
import { buildGraph, type GraphNode } from './skill-graph.ts';

function skill(id: string, ...dependsOn: string[]): GraphNode {
  return { id, name: id, dependsOn, produces: [], requires: [] };
}

test('criticalPath() follows durations, not the number of skills, and leaves cycles out', () => {
  const graph = buildGraph([
    skill('end', 'long', 'c'),
    skill('long'),
    skill('c', 'b'),
    skill('b', 'a'),
    skill('a'),
    skill('loop', 'loop'),
  ]);
  expect(criticalPath(graph, [5, 100, 10, 10, 10, 9000])).toEqual({ path: [1, 0], durationMs: 105 });
});

test('criticalPath() of nothing takes no time', () => {
  expect(criticalPath(buildGraph([]), [])).toEqual({ path: [], durationMs: 0 });
});

test('criticalPath() is as long as the longest chain found by trying all', () => {
  const durations = fc.array(fc.integer({ min: 0, max: 50 }), { minLength: 1, maxLength: 7 });
  fc.assert(
    fc.property(durations, fc.array(fc.nat({ max: 127 }), { minLength: 7, maxLength: 7 }), (ms, masks) => {
      const graph = buildGraph(
        ms.map((_, i) =>
          skill(`${i}`, ...ms.slice(0, i).flatMap((_, j) => (masks[i]! & (1 << j) ? [`${j}`] : []))),
        ),
      );
      const longestTo = (i: number): number =>
        ms[i]! + Math.max(0, ...ms.slice(0, i).map((_, j) => (masks[i]! & (1 << j) ? longestTo(j) : 0)));
      const { path, durationMs } = criticalPath(graph, ms);
      expect(durationMs).toBe(Math.max(...ms.map((_, i) => longestTo(i))));
      expect(path.reduce((sum, node) => sum + ms[node]!, 0)).toBe(durationMs);
      path.forEach((node, i) => i > 0 && expect(masks[node]! & (1 << path[i - 1]!)).not.toBe(0));
    }),
  );
});
