import { expect, test } from 'vitest';
import { withDependents } from './edges.ts';
import { buildGraph } from './skill-graph.ts';

test('withDependents() finds the dependents that the whole graph has', () => {
  const skill = (id: string, ...dependsOn: string[]) => ({
    ...{ id, name: id, dependsOn, produces: [], requires: [] },
  });
  const graph = buildGraph([skill('a', 'c'), skill('b', 'a', 'c'), skill('c'), skill('d', 'd', 'a')]);
  const { size, dependencyStart, dependencies, dependentStart, dependents } = graph;
  const edges = { size, dependencyStart, dependencies };
  expect(withDependents(edges)).toEqual({ ...edges, dependentStart, dependents });
});
