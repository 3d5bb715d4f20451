import { expect, test } from 'vitest';
import { order } from './order.ts';
import { buildGraph, type GraphNode } from './skill-graph.ts';
import { waves } from './waves.ts';

function skill(id: string, ...dependsOn: string[]): GraphNode {
  return { id, name: id, dependsOn, produces: [], requires: [] };
}

test('waves() puts a skill after all its dependencies, not only the first', () => {
  const graph = buildGraph([
    skill('report', 'read', 'check'),
    skill('check', 'read'),
    skill('read'),
    skill('ask'),
  ]);
  expect(waves(graph)).toEqual({
    waves: [[3, 2], [1], [0]],
    unplaced: [],
    waveOf: Int32Array.of(2, 1, 0, 0),
  });
});

test('waves() keeps skills in and behind a cycle apart and still places the rest', () => {
  const graph = buildGraph([skill('behind', 'x'), skill('x', 'y'), skill('y', 'x', 'free'), skill('free')]);
  expect(waves(graph)).toEqual({
    waves: [[3]],
    unplaced: [0, 1, 2],
    waveOf: Int32Array.of(-1, -1, -1, 0),
  });
  expect(order(graph)).toEqual({ order: [3], unplaced: [0, 1, 2] });
});

test('waves() compares names by code unit, then ids', () => {
  const named = (id: string, name: string): GraphNode => ({ ...skill(id), name });
  const graph = buildGraph([
    named('2', 'b'),
    named('3', 'a'),
    named('1', 'b'),
    named('4', 'B'),
    named('5', 'é'),
  ]);
  expect(order(graph).order.map((node) => graph.ids[node])).toEqual(['4', '3', '1', '2', '5']);
});

test('waves() places a chain of 200,000 skills', () => {
  const chain = Array.from({ length: 200_000 }, (_, i) => skill(`s${i}`, ...(i > 0 ? [`s${i - 1}`] : [])));
  expect(waves(buildGraph(chain)).waves.length).toBe(200_000);
});
