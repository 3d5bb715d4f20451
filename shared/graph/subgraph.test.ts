import { expect, test } from 'vitest';
import { buildGraph, type GraphNode } from './skill-graph.ts';
import { subgraph } from './subgraph.ts';

function skill(id: string, ...dependsOn: string[]): GraphNode {
  return { id, name: id.split(':').at(-1)!, dependsOn, produces: [], requires: [] };
}

const graph = buildGraph([
  skill('own:report', 'own:check'),
  skill('own:check', 'own:read'),
  skill('own:read'),
  skill('own:other', 'own:read'),
  skill('team:check'),
]);

test('subgraph() keeps the named skills and what they need, by name or by id', () => {
  expect(subgraph(graph, ['own:check', 'other']).ids).toEqual(['own:check', 'own:read', 'own:other']);
});

test('subgraph() refuses every unknown name at once, and says which ones are near', () => {
  expect(() => subgraph(graph, ['raed', 'report', 'own:gone'])).toThrowError(
    expect.objectContaining({
      code: 'graph.unknown-skill',
      message: 'Cannot find "raed", "own:gone" in the graph: did you mean "read"?',
      details: {
        unknown: ['raed', 'own:gone'],
        known: ['other', 'own:check', 'read', 'report', 'team:check'],
      },
    }),
  );
});

test('subgraph() says how many skills there are where none is near', () => {
  expect(() => subgraph(graph, ['nobody'])).toThrowError(
    'Cannot find "nobody" in the graph: use the name or the qualified id of one of its 5 skills',
  );
  expect(() => subgraph(graph, ['own:raed', 'own:rad'])).toThrowError('did you mean "own:read"?');
});

test('subgraph() refuses a name that means two skills and names both', () => {
  expect(() => subgraph(graph, ['check'])).toThrowError(
    expect.objectContaining({
      code: 'graph.ambiguous-skill',
      message: 'Cannot tell which skill "check" means: use one of "own:check", "team:check"',
    }),
  );
});
