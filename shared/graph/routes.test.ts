import fc from 'fast-check';
import { expect, test } from 'vitest';
import { layout } from './layout.ts';
import { routes } from './routes.ts';
import { buildGraph } from './skill-graph.ts';
import { waves } from './waves.ts';

function graphOf(pairs: readonly (readonly [number, number])[], size: number) {
  return buildGraph(
    Array.from({ length: size }, (_, i) => ({
      ...{ id: `${i}`, name: `${i}`, produces: [], requires: [] },
      dependsOn: pairs.filter(([to, from]) => to === i && from < i).map(([, from]) => `${from}`),
    })),
  );
}

test('routes() leads a long edge around the only skill of a column', () => {
  const graph = graphOf(
    [
      [1, 0],
      [2, 1],
      [2, 0],
    ],
    3,
  );
  const { starts, passes } = routes(graph, layout(graph, waves(graph)));
  expect([Array.from(starts), Array.from(passes)]).toEqual([[0, 0, 0, 1], [0.5]]);
});

test('routes() never passes through the middle of a skill and has a pass for every column between', () => {
  const edges = fc.array(fc.tuple(fc.nat({ max: 29 }), fc.nat({ max: 29 })), { maxLength: 90 });
  fc.assert(
    fc.property(edges, (pairs) => {
      const graph = graphOf(pairs, 30);
      const placed = layout(graph, waves(graph));
      const { starts, passes } = routes(graph, placed);
      for (let node = 0; node < graph.size; node++) {
        for (let k = graph.dependencyStart[node]!; k < graph.dependencyStart[node + 1]!; k++) {
          const from = placed.wave[graph.dependencies[k]!]!;
          const own = passes.subarray(starts[k], starts[k + 1]);
          expect(own.length).toBe(placed.wave[node]! - from - 1);
          own.forEach((height, i) => {
            const skills = placed.columnSizes[from + 1 + i]!;
            const nearest = Math.min(
              ...Array.from({ length: skills }, (_, row) => Math.abs(height - (row - (skills - 1) / 2))),
            );
            expect(nearest).toBeGreaterThanOrEqual(0.5 - 1e-6);
          });
        }
      }
    }),
    { numRuns: 40 },
  );
});
