import { expect, test } from 'vitest';
import { buildGraph, type GraphNode } from './skill-graph.ts';

function skill(id: string, ...dependsOn: string[]): GraphNode {
  return { id, name: id, dependsOn, produces: [], requires: [] };
}

test('buildGraph() counts a repeated dependency once and lists a missing one apart', () => {
  const nodes = [skill('a', 'b', 'gone', 'b', 'gone', 'c'), skill('b', 'c'), skill('c')];
  expect(buildGraph(nodes)).toEqual({
    size: 3,
    nodes,
    ids: ['a', 'b', 'c'],
    names: ['a', 'b', 'c'],
    indexOf: new Map([
      ['a', 0],
      ['b', 1],
      ['c', 2],
    ]),
    dependencyStart: Int32Array.of(0, 2, 3, 3),
    dependencies: Int32Array.of(1, 2, 2),
    dependentStart: Int32Array.of(0, 0, 1, 3),
    dependents: Int32Array.of(0, 0, 1),
    missing: [{ from: 0, to: 'gone' }],
  });
});

test('buildGraph() refuses two skills with one id', () => {
  expect(() => buildGraph([skill('a'), skill('b'), skill('a')])).toThrow(
    'Cannot build a graph: skill id "a" is declared twice',
  );
});
