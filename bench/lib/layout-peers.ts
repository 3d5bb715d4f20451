import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import dagre from '@dagrejs/dagre';
import Elk, { type ElkNode } from 'elkjs/lib/elk.bundled.js';
import { layout } from '#shared/graph/layout.ts';
import { routes } from '#shared/graph/routes.ts';
import { buildGraph, type GraphNode } from '#shared/graph/skill-graph.ts';
import { waves } from '#shared/graph/waves.ts';
import { compare, table } from './compare.ts';
import { randomSkills } from './random-skills.ts';

type Point = readonly [x: number, y: number];

/** An edge as it is drawn: a line through points. */
type Line = readonly Point[];

const size = { width: 200, height: 74, row: 98, column: 260 };

const contenders: Readonly<Record<string, (nodes: readonly GraphNode[]) => Line[] | Promise<Line[]>>> = {
  'ranks only': withRanks,
  ours: withOurs,
  'elkjs layered': withElk,
  dagre: withDagre,
};
const longestMs = 30_000;

/**
 * Our layout against elkjs, dagre and the least that one can do, on the same graphs: time, and how often the drawn edges
 * cross. Answers the figures that are to be reached, as rows of name, median, best, goal and nothing.
 */
export async function compareLayouts(): Promise<string[][]> {
  const nodes = randomSkills(100, 100);
  await compare({
    ...{ title: 'Layout with edge routes, 100 skills', limit: 'ours', repetitions: 5 },
    prepare: () => nodes,
    contenders: Object.entries(contenders).map(([name, work]) => ({ name, work })),
  });
  const crossings = new Map<string, number>();
  for (const [name, work] of Object.entries(contenders)) crossings.set(name, crossingsOf(await work(nodes)));
  const rows = [...crossings].map(([name, count]) => [name, String(count)]);
  console.log(table([['', 'crossings of the drawn edges'], ...rows]));
  const against = `${(crossings.get('ours')! / crossings.get('elkjs layered')!).toFixed(2)}×`;
  return [
    ['crossings against elkjs, 100 skills', against, against, '≤ 1.3×', ''],
    ...[1_000, 3_000].map((count) => {
      const { median, best } = compareLarge(count);
      const title = `layout against ranks only, ${count.toLocaleString('en')} skills`;
      return [title, `${median.toFixed(1)}×`, `${best.toFixed(1)}×`, '≤ 10×', ''];
    }),
  ];
}

/** Large graphs, each contender in a process that is ended when it takes too long. Answers ours against the least. */
function compareLarge(count: number): { median: number; best: number } {
  const known = new Map<string, LayoutTimes>();
  const rows = Object.keys(contenders).map((name) => {
    const script = join(import.meta.dirname, 'layout-once.mjs');
    const { stdout, status } = spawnSync(process.execPath, [script, name, String(count)], {
      ...{ timeout: longestMs, killSignal: 'SIGKILL', encoding: 'utf8' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) return [name, `> ${longestMs.toLocaleString('en')}`, ''];
    const times = JSON.parse(stdout) as LayoutTimes;
    known.set(name, times);
    return [name, times.medianMs.toFixed(1), times.bestMs.toFixed(1)];
  });
  const title = `Layout with edge routes, ${count.toLocaleString('en')} skills`;
  console.log(`\n${title}\n${table([['', 'median ms', 'best ms'], ...rows])}`);
  const [ours, ranks] = [known.get('ours'), known.get('ranks only')];
  return {
    median: (ours?.medianMs ?? NaN) / (ranks?.medianMs ?? NaN),
    best: (ours?.bestMs ?? NaN) / (ranks?.bestMs ?? NaN),
  };
}

interface LayoutTimes {
  readonly medianMs: number;
  readonly bestMs: number;
}

/** How long one contender takes for a graph, of nine times; one that takes seconds is asked once. */
export async function timesOf(name: string, count: number): Promise<LayoutTimes> {
  const work = contenders[name];
  if (!work) throw new Error(`No layout is named "${name}"`);
  const nodes = randomSkills(count, 100);
  const times: number[] = [];
  for (let i = 0; i < 9 && (times[0] ?? 0) < 1_000; i++) {
    const start = performance.now();
    await work(nodes);
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  return { medianMs: times[times.length >> 1]!, bestMs: times[0]! };
}

/** Skills in their waves, in the order of declaration, and straight edges: what any layout in waves has to do. */
function withRanks(nodes: readonly GraphNode[]): Line[] {
  const graph = buildGraph(nodes);
  const { waves: columns, waveOf } = waves(graph);
  const row = new Int32Array(graph.size);
  for (const column of columns) column.forEach((node, i) => (row[node] = i));
  const heightOf = (node: number): number =>
    (row[node]! - (columns[waveOf[node]!]!.length - 1) / 2) * size.row;
  const lines: Line[] = [];
  for (let node = 0; node < graph.size; node++) {
    for (let k = graph.dependencyStart[node]!; k < graph.dependencyStart[node + 1]!; k++) {
      const from = graph.dependencies[k]!;
      lines.push([
        [waveOf[from]! * size.column + size.width, heightOf(from)],
        [waveOf[node]! * size.column, heightOf(node)],
      ]);
    }
  }
  return lines;
}

function withOurs(nodes: readonly GraphNode[]): Line[] {
  const graph = buildGraph(nodes);
  const placed = layout(graph, waves(graph));
  const { starts, passes } = routes(graph, placed);
  const heightOf = (node: number): number =>
    placed.row[node]! - (placed.columnSizes[placed.wave[node]!]! - 1) / 2;
  const lines: Line[] = [];
  for (let node = 0; node < graph.size; node++) {
    for (let k = graph.dependencyStart[node]!; k < graph.dependencyStart[node + 1]!; k++) {
      const from = graph.dependencies[k]!;
      const left = placed.wave[from]! * size.column;
      const points: Point[] = [[left + size.width, heightOf(from) * size.row]];
      passes.subarray(starts[k], starts[k + 1]).forEach((height, i) => {
        const x = left + (i + 1) * size.column;
        points.push([x, height * size.row], [x + size.width, height * size.row]);
      });
      points.push([placed.wave[node]! * size.column, heightOf(node) * size.row]);
      lines.push(points);
    }
  }
  return lines;
}

async function withElk(nodes: readonly GraphNode[]): Promise<Line[]> {
  const graph: ElkNode = {
    id: 'graph',
    layoutOptions: {
      'elk.algorithm': 'layered',
      'elk.direction': 'RIGHT',
      'elk.edgeRouting': 'POLYLINE',
    },
    children: nodes.map(({ id }) => ({ id, width: size.width, height: size.height })),
    edges: nodes.flatMap(({ id, dependsOn }) =>
      [...new Set(dependsOn)].map((from) => ({ id: `${from} ${id}`, sources: [from], targets: [id] })),
    ),
  };
  const laidOut = await new Elk().layout(graph);
  return (laidOut.edges ?? []).flatMap(({ sections = [] }) =>
    sections.map(({ startPoint, bendPoints = [], endPoint }) =>
      [startPoint, ...bendPoints, endPoint].map(({ x, y }): Point => [x, y]),
    ),
  );
}

function withDagre(nodes: readonly GraphNode[]): Line[] {
  const graph = new dagre.graphlib.Graph();
  graph.setGraph({ rankdir: 'LR' });
  graph.setDefaultEdgeLabel(() => ({}));
  for (const { id } of nodes) graph.setNode(id, { width: size.width, height: size.height });
  for (const { id, dependsOn } of nodes) for (const from of dependsOn) graph.setEdge(from, id);
  dagre.layout(graph);
  return graph.edges().map((edge) => {
    const { points = [] } = graph.edge(edge) as { points?: { x: number; y: number }[] };
    return points.map(({ x, y }): Point => [x, y]);
  });
}

/** Pairs of edges that cross, once for each crossing; edges that share an end meet there and do not cross. */
function crossingsOf(lines: readonly Line[]): number {
  const segments = lines.flatMap((points, line) =>
    points.slice(1).map((to, i) => ({ line, from: points[i]!, to })),
  );
  segments.sort((a, b) => a.from[0] - b.from[0]);
  let count = 0;
  segments.forEach((a, i) => {
    for (let j = i + 1; j < segments.length && segments[j]!.from[0] < a.to[0]; j++) {
      const b = segments[j]!;
      if (a.line !== b.line && doCross(a.from, a.to, b.from, b.to)) count++;
    }
  });
  return count;
}

function doCross(a: Point, b: Point, c: Point, d: Point): boolean {
  const side = (p: Point, q: Point, r: Point): number =>
    (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0]);
  const little = 1e-6;
  return side(a, b, c) * side(a, b, d) < -little && side(c, d, a) * side(c, d, b) < -little;
}
