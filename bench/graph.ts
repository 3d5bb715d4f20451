import Graph from 'graphology';
import { topologicalGenerations } from 'graphology-dag';
import { crossings } from '#shared/graph/crossings.ts';
import { layout, type Layout } from '#shared/graph/layout.ts';
import { buildGraph, type GraphNode } from '#shared/graph/skill-graph.ts';
import { waves } from '#shared/graph/waves.ts';
import { compare, table } from './lib/compare.ts';
import { randomSkills } from './lib/random-skills.ts';

interface Edges {
  readonly size: number;
  readonly from: Int32Array;
  readonly to: Int32Array;
}

/** Waves from our model objects against the least that Node could do, and layout against plain ranks. */
export async function run(): Promise<void> {
  for (const count of [10_000, 100_000]) await compareWaves(count);
  for (const count of [100, 1_000, 3_000]) await compareLayout(count);
}

async function compareWaves(count: number): Promise<void> {
  const text = JSON.stringify(randomSkills(count));
  await compare<{ nodes: GraphNode[]; edges: Edges }>({
    title: `Build graph + waves, ${count.toLocaleString('en')} skills, 3 dependencies each`,
    limit: 'typed-array Kahn, ids to integers included',
    repetitions: count > 50_000 ? 7 : 15,
    // Parsed anew each time: strings remember their hash, and a second look-up would be cheaper than a real one.
    prepare: () => ({
      nodes: JSON.parse(text) as GraphNode[],
      edges: toEdges(JSON.parse(text) as GraphNode[]),
    }),
    contenders: [
      { name: 'typed-array Kahn on ready integers', work: ({ edges }) => kahn(edges) },
      { name: 'typed-array Kahn, ids to integers included', work: ({ nodes }) => kahn(toEdges(nodes)) },
      { name: 'ours: buildGraph + waves, sorted by name', work: ({ nodes }) => waves(buildGraph(nodes)) },
      { name: 'graphology-dag', work: ({ nodes }) => withGraphology(nodes) },
    ],
  });
}

/** Maps ids to integers and nothing else. */
function toEdges(nodes: readonly GraphNode[]): Edges {
  const indexOf = new Map<string, number>();
  let count = 0;
  for (let i = 0; i < nodes.length; i++) {
    indexOf.set(nodes[i]!.id, i);
    count += nodes[i]!.dependsOn.length;
  }
  const from = new Int32Array(count);
  const to = new Int32Array(count);
  let k = 0;
  for (let i = 0; i < nodes.length; i++) {
    for (const id of nodes[i]!.dependsOn) {
      from[k] = i;
      to[k++] = indexOf.get(id)!;
    }
  }
  return { size: nodes.length, from, to };
}

/** Wave numbers only: no names, no order within a wave, no missing or repeated dependencies. */
function kahn({ size, from, to }: Edges): Int32Array {
  const waiting = new Int32Array(size);
  const starts = new Int32Array(size + 1);
  for (let k = 0; k < from.length; k++) {
    waiting[from[k]!]!++;
    starts[to[k]! + 1]!++;
  }
  for (let i = 0; i < size; i++) starts[i + 1]! += starts[i]!;
  const next = starts.slice(0, size);
  const dependents = new Int32Array(from.length);
  for (let k = 0; k < from.length; k++) dependents[next[to[k]!]!++] = from[k]!;
  const queue = new Int32Array(size);
  const waveOf = new Int32Array(size);
  let tail = 0;
  for (let i = 0; i < size; i++) if (waiting[i] === 0) queue[tail++] = i;
  for (let head = 0; head < tail; head++) {
    const node = queue[head]!;
    for (let k = starts[node]!; k < starts[node + 1]!; k++) {
      const dependent = dependents[k]!;
      waveOf[dependent] = waveOf[node]! + 1;
      if (--waiting[dependent]! === 0) queue[tail++] = dependent;
    }
  }
  return waveOf;
}

function withGraphology(nodes: readonly GraphNode[]): string[][] {
  const graph = new Graph({ type: 'directed' });
  for (const { id } of nodes) graph.addNode(id);
  for (const { id, dependsOn } of nodes) for (const dependency of dependsOn) graph.mergeEdge(dependency, id);
  return topologicalGenerations(graph);
}

async function compareLayout(count: number): Promise<void> {
  const nodes = randomSkills(count, 100);
  await compare({
    title: `Layout from model objects, ${count.toLocaleString('en')} skills`,
    limit: 'plain rank layout',
    prepare: () => nodes,
    contenders: [
      { name: 'plain rank layout', work: rankLayout },
      { name: 'ours: build, waves, crossing reduction', work: wholeLayout },
    ],
  });
  const graph = buildGraph(nodes);
  console.log(
    table([
      ['', 'crossings'],
      ['plain rank layout', String(crossings(graph, rankLayout(nodes)))],
      ['ours', String(crossings(graph, wholeLayout(nodes)))],
    ]),
  );
}

function wholeLayout(nodes: readonly GraphNode[]): Layout {
  const graph = buildGraph(nodes);
  return layout(graph, waves(graph));
}

/** Columns by wave, rows as they come. */
function rankLayout(nodes: readonly GraphNode[]): Layout {
  const wave = kahn(toEdges(nodes));
  const columnCount = wave.reduce((most, own) => Math.max(most, own + 1), 0);
  const columnSizes = new Int32Array(columnCount);
  const row = wave.map((own) => columnSizes[own]!++);
  return { columnCount, wave, row, columnSizes };
}
