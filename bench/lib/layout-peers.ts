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
  ours: withOurs,
  'elkjs layered': withElk,
  dagre: withDagre,
};
const longestMs = 60_000;

/** Our layout against elkjs and dagre on the same graphs: time, and how often the drawn edges cross. */
export async function compareLayouts(): Promise<void> {
  const nodes = randomSkills(100, 100);
  await compare({
    ...{ title: 'Layout with edge routes, 100 skills', limit: 'ours', repetitions: 5 },
    prepare: () => nodes,
    contenders: Object.entries(contenders).map(([name, work]) => ({ name, work })),
  });
  const crossings = Object.entries(contenders).map(async ([name, work]) => [
    name,
    String(crossingsOf(await work(nodes))),
  ]);
  console.log(table([['', 'crossings of the drawn edges'], ...(await Promise.all(crossings))]));
  for (const count of [1_000, 3_000]) compareLarge(count);
}

/** Large graphs, each contender in a process that is ended when it takes too long. */
function compareLarge(count: number): void {
  const rows = Object.keys(contenders).map((name) => {
    const script = join(import.meta.dirname, 'layout-once.mjs');
    const { stdout, status } = spawnSync(process.execPath, [script, name, String(count)], {
      ...{ timeout: longestMs, killSignal: 'SIGKILL', encoding: 'utf8' },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    if (status !== 0) return [name, `> ${longestMs.toLocaleString('en')}`, ''];
    const { firstMs, bestMs } = JSON.parse(stdout) as LayoutTimes;
    return [name, firstMs.toFixed(0), bestMs.toFixed(0)];
  });
  const title = `Layout with edge routes, ${count.toLocaleString('en')} skills`;
  console.log(`\n${title}\n${table([['', 'first ms', 'best of 3 ms'], ...rows])}`);
}

interface LayoutTimes {
  readonly firstMs: number;
  readonly bestMs: number;
}

/** How long one contender takes for a graph: the first time, and at best of three. */
export async function timesOf(name: string, count: number): Promise<LayoutTimes> {
  const work = contenders[name];
  if (!work) throw new Error(`No layout is named "${name}"`);
  const nodes = randomSkills(count, 100);
  const times: number[] = [];
  for (let i = 0; i < 3; i++) {
    const start = performance.now();
    await work(nodes);
    times.push(performance.now() - start);
    if (times[0]! > longestMs / 4) break;
  }
  return { firstMs: times[0]!, bestMs: Math.min(...times) };
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
