import { expect, test } from 'vitest';
import { cycleText, cyclesByComponent, shortestCycle } from './cycles.ts';
import { buildGraph, type GraphNode } from './skill-graph.ts';

function skill(id: string, ...dependsOn: string[]): GraphNode {
  return { id, name: id, dependsOn, produces: [], requires: [] };
}

function texts(nodes: readonly GraphNode[]): string[] {
  const graph = buildGraph(nodes);
  return cyclesByComponent(graph).map((cycle) => cycleText(graph, cycle));
}

test('a skill that depends on itself is the cycle a → a', () => {
  expect(texts([skill('a', 'a')])).toEqual(['a → a']);
});

test('a cycle of three has the same text from every order of declaration', () => {
  const [a, b, c] = [skill('a', 'b'), skill('b', 'c'), skill('c', 'a')];
  for (const nodes of [
    [a, b, c],
    [c, b, a],
    [b, c, a],
    [b, a, c],
  ]) {
    expect(texts(nodes)).toEqual(['a → b → c → a']);
  }
});

test('cyclesByComponent() reports one shortest cycle for every tangle, and nothing for what is only behind', () => {
  const nodes = [
    skill('x', 'y'),
    skill('y', 'z'),
    skill('z', 'x', 'y'),
    skill('behind', 'x'),
    skill('self', 'self', 'm'),
    skill('n', 'm'),
    skill('m', 'n'),
  ];
  expect(texts(nodes)).toEqual(['m → n → m', 'self → self', 'y → z → y']);
});

test('shortestCycle() takes the shortest of the whole graph', () => {
  const graph = buildGraph([
    skill('a', 'b'),
    skill('b', 'c'),
    skill('c', 'a'),
    skill('p', 'q'),
    skill('q', 'p'),
  ]);
  expect(shortestCycle(graph)).toEqual([3, 4]);
});

test('shortestCycle() finds nothing where there is no cycle', () => {
  expect(shortestCycle(buildGraph([skill('a', 'b'), skill('b')]))).toBeUndefined();
});

test('cycleText() uses qualified ids where names clash', () => {
  const graph = buildGraph([
    { ...skill('one:lint', 'two:lint'), name: 'lint' },
    { ...skill('two:lint', 'one:lint'), name: 'lint' },
  ]);
  expect(cycleText(graph, shortestCycle(graph)!)).toBe('one:lint → two:lint → one:lint');
});

test('shortestCycle() walks a ring of 100,000 skills once', () => {
  const size = 100_000;
  const ring = Array.from({ length: size }, (_, i) => skill(`s${i}`, `s${(i + 1) % size}`));
  expect(shortestCycle(buildGraph(ring))?.length).toBe(size);
});
