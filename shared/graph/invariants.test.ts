import fc from 'fast-check';
import { expect, test } from 'vitest';
import { downstream, upstream } from './closure.ts';
import { cyclesByComponent, shortestCycle } from './cycles.ts';
import { criticalPath } from './critical-path.ts';
import { layout } from './layout.ts';
import { pathBetween } from './path-between.ts';
import { buildGraph, type GraphNode, type SkillGraph } from './skill-graph.ts';
import { toDot } from './to-dot.ts';
import { toMermaid } from './to-mermaid.ts';
import { toSvg } from './to-svg.ts';
import { waves } from './waves.ts';

/** Graphs of 9 to 120 skills, with and without cycles, repeated and missing dependencies and shared names. */
const anyNodes = fc
  .record({
    size: fc.integer({ min: 9, max: 120 }),
    isAcyclic: fc.boolean(),
    edges: fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 400 }),
  })
  .map(({ size, isAcyclic, edges }): GraphNode[] => {
    const dependsOn: string[][] = Array.from({ length: size }, () => []);
    for (const [a, b] of edges) {
      const from = a % size;
      const to = isAcyclic ? b % (from + 1) : b % (size + 1);
      if (!isAcyclic || to < from) dependsOn[from]!.push(`lib:${to}`);
    }
    return dependsOn.map((targets, i) => ({
      id: `lib:${i}`,
      name: `skill-${(i * 7) % 50}`,
      dependsOn: targets,
      produces: [],
      requires: [],
    }));
  });

function dependenciesOf(graph: SkillGraph, node: number): number[] {
  return [...graph.dependencies.subarray(graph.dependencyStart[node], graph.dependencyStart[node + 1])];
}

function idsOf(graph: SkillGraph, nodes: readonly number[]): string[] {
  return nodes.map((node) => graph.ids[node]!);
}

/** Everything that must not depend on the order of declaration, in terms of ids. */
function describe(graph: SkillGraph): unknown {
  const placed = waves(graph);
  const { wave, row } = layout(graph, placed);
  return {
    waves: placed.waves.map((group) => idsOf(graph, group)),
    unplaced: idsOf(graph, placed.unplaced),
    cycles: cyclesByComponent(graph).map((cycle) => idsOf(graph, cycle)),
    critical: idsOf(
      graph,
      criticalPath(
        graph,
        graph.ids.map((id) => id.length),
      ).path,
    ),
    path: pathBetween(graph, graph.indexOf.get('lib:0')!, graph.indexOf.get('lib:8')!)?.map(
      (n) => graph.ids[n],
    ),
    layout: Object.fromEntries(graph.ids.map((id, i) => [id, [wave[i], row[i]]])),
    exports: [toMermaid(graph), toDot(graph, 'x'), toSvg(graph, 'x')],
  };
}

test('reversed or shuffled declaration gives the same waves, cycles, paths, layout and exports', () => {
  fc.assert(
    fc.property(
      anyNodes.chain((nodes) =>
        fc.tuple(fc.constant(nodes), fc.shuffledSubarray(nodes, { minLength: nodes.length })),
      ),
      ([nodes, shuffled]) => {
        const expected = describe(buildGraph(nodes));
        expect(describe(buildGraph(nodes.toReversed()))).toEqual(expected);
        expect(describe(buildGraph(shuffled))).toEqual(expected);
      },
    ),
    { numRuns: 100 },
  );
});

test('waves() puts every skill one wave after its last dependency, or among the unplaced with one of them', () => {
  fc.assert(
    fc.property(anyNodes, (nodes) => {
      const graph = buildGraph(nodes);
      const { waves: groups, unplaced, waveOf } = waves(graph);
      expect([...groups.flat(), ...unplaced].sort((a, b) => a - b)).toEqual(nodes.map((_, i) => i));
      for (let i = 0; i < graph.size; i++) {
        const before = dependenciesOf(graph, i).map((dependency) => waveOf[dependency]!);
        expect(waveOf[i]).toBe(before.includes(-1) ? -1 : Math.max(-1, ...before) + 1);
      }
      for (const group of [...groups, unplaced]) {
        const keys = group.map((node) => [graph.names[node]!, graph.ids[node]!]);
        expect(keys).toEqual(keys.toSorted(([a, x], [b, y]) => (a! + '\0' + x! < b! + '\0' + y! ? -1 : 1)));
      }
    }),
    { numRuns: 200 },
  );
});

test('shortestCycle() is a closed path no longer than a way back from any skill, and absent when all are placed', () => {
  fc.assert(
    fc.property(anyNodes, (nodes) => {
      const graph = buildGraph(nodes);
      const cycle = shortestCycle(graph);
      let shortest = Infinity;
      for (let i = 0; i < graph.size; i++) {
        for (const dependency of dependenciesOf(graph, i)) {
          shortest = Math.min(shortest, pathBetween(graph, i, dependency)?.length ?? Infinity);
        }
      }
      expect(cycle?.length ?? Infinity).toBe(shortest);
      expect(cycle === undefined).toBe(waves(graph).unplaced.length === 0);
      cycle?.forEach((node, i) => {
        expect(dependenciesOf(graph, node)).toContain(cycle[(i + 1) % cycle.length]);
        expect(graph.ids[cycle[0]!]! <= graph.ids[node]!).toBe(true);
      });
    }),
    { numRuns: 100 },
  );
});

test('upstream() and downstream() mirror each other', () => {
  fc.assert(
    fc.property(anyNodes, fc.nat(), (nodes, pick) => {
      const graph = buildGraph(nodes);
      const node = pick % graph.size;
      const needs = upstream(graph, [node]);
      for (let other = 0; other < graph.size; other++) {
        expect(downstream(graph, [other]).includes(node)).toBe(needs.includes(other));
      }
    }),
    { numRuns: 50 },
  );
});
