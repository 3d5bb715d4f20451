import fc from 'fast-check';
import { expect, test } from 'vitest';
import { crossings } from './crossings.ts';
import { layout, type Layout } from './layout.ts';
import { buildGraph, type GraphNode, type SkillGraph } from './skill-graph.ts';
import { waves } from './waves.ts';

function skill(id: string, ...dependsOn: string[]): GraphNode {
  return { id, name: id, dependsOn, produces: [], requires: [] };
}

/** Rows as waves() has them, by name. */
function layoutByName(graph: SkillGraph): Layout {
  const { waves: groups, waveOf } = waves(graph);
  const row = new Int32Array(graph.size);
  for (const group of groups) group.forEach((node, i) => (row[node] = i));
  return {
    columnCount: groups.length,
    wave: waveOf,
    row,
    columnSizes: Int32Array.from(groups, (group) => group.length),
  };
}

test('layout() uncrosses two edges', () => {
  const graph = buildGraph([skill('a'), skill('b'), skill('c', 'b'), skill('d', 'a')]);
  expect(crossings(graph, layoutByName(graph))).toBe(1);
  const result = layout(graph, waves(graph));
  expect(result).toEqual({
    columnCount: 2,
    wave: Int32Array.of(0, 0, 1, 1),
    row: Int32Array.of(0, 1, 1, 0),
    columnSizes: Int32Array.of(2, 2),
  });
  expect(crossings(graph, result)).toBe(0);
});

test('layout() puts skills in or behind a cycle in a column after the last wave', () => {
  const graph = buildGraph([skill('a'), skill('b', 'a'), skill('x', 'x'), skill('y', 'x')]);
  expect(layout(graph, waves(graph)).wave).toEqual(Int32Array.of(0, 1, 2, 2));
});

test('crossings() counts long edges where they cross, and not edges that share an end', () => {
  const graph = buildGraph([skill('a'), skill('b'), skill('m', 'b'), skill('z', 'a', 'm'), skill('n', 'a')]);
  const wave = Int32Array.of(0, 0, 1, 2, 1);
  const at = (row: number[]) =>
    crossings(graph, {
      columnCount: 3,
      wave,
      row: Int32Array.from(row),
      columnSizes: Int32Array.of(2, 2, 1),
    });
  expect([at([0, 1, 1, 0, 0]), at([0, 1, 0, 0, 1])]).toEqual([0, 2]);
});

test('layout() gives every column the rows from 0 up, each once', () => {
  const edges = fc.array(fc.tuple(fc.nat({ max: 149 }), fc.nat({ max: 149 })), { maxLength: 600 });
  fc.assert(
    fc.property(edges, (pairs) => {
      const nodes = Array.from({ length: 150 }, (_, i) =>
        skill(`${i}`, ...pairs.filter(([from, to]) => from === i && to !== i).map(([, to]) => `${to}`)),
      );
      const graph = buildGraph(nodes);
      const { wave, row, columnCount, columnSizes } = layout(graph, waves(graph));
      const rows: number[][] = Array.from({ length: columnCount }, () => []);
      wave.forEach((column, node) => rows[column]!.push(row[node]!));
      expect(rows.map((column) => column.sort((a, b) => a - b))).toEqual(
        Array.from(columnSizes, (size) => Array.from({ length: size }, (_, i) => i)),
      );
    }),
    { numRuns: 30 },
  );
});

test('layout() leaves a random graph with far fewer crossings than rows by name', () => {
  let state = 7;
  const random = () => (state = (state * 48271) % 2147483647);
  for (const size of [60, 400]) {
    const nodes = Array.from({ length: size }, (_, i) =>
      i < 8 ? skill(`${i}`) : skill(`${i}`, `${random() % i}`, `${i - 1 - (random() % 8)}`),
    );
    const graph = buildGraph(nodes);
    const ours = crossings(graph, layout(graph, waves(graph)));
    expect(ours).toBeLessThan(0.7 * crossings(graph, layoutByName(graph)));
  }
});

test('layout() keeps the order of skills that were there and puts a new one behind its neighbour', () => {
  const old = buildGraph([skill('a'), skill('b'), skill('c', 'b'), skill('d', 'a')]);
  const { row } = layout(old, waves(old));
  const edited = buildGraph([skill('a'), skill('b'), skill('c', 'a'), skill('d', 'b'), skill('e', 'b')]);
  const before = Float64Array.from([...row, NaN]);
  expect(row).toEqual(Int32Array.of(0, 1, 1, 0));
  expect(layout(edited, waves(edited), before).row).toEqual(Int32Array.of(0, 1, 2, 0, 1));
  expect(layout(edited, waves(edited)).row).toEqual(Int32Array.of(0, 1, 0, 1, 2));
});
