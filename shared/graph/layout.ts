import type { GraphEdges } from './skill-graph.ts';
import { untangle } from './untangle.ts';
import type { Waves } from './waves.ts';

/** Where each skill is drawn: its column (skills without a wave share one after the last) and its row there. */
export interface Layout {
  readonly columnCount: number;
  readonly wave: Int32Array;
  readonly row: Int32Array;
  /** Skills per column. Columns are drawn centred on one line; that is what the rows are chosen for. */
  readonly columnSizes: Int32Array;
}

const sweeps = 2;
/** Above this many edges, swapping by exact count would take longer than a frame or two. */
const untangledEdges = 400;

interface Neighbours {
  readonly starts: Int32Array;
  readonly nodes: Int32Array;
}

/**
 * Places skills in wave columns with few crossing edges, the same for any order of declaration. With `before`, the height
 * each skill had or NaN, skills that were there keep their order within a wave and only new ones are fitted in.
 */
export function layout(graph: GraphEdges, { waves, unplaced, waveOf }: Waves, before?: Float64Array): Layout {
  const columns = [...waves, ...(unplaced.length > 0 ? [unplaced] : [])].map((nodes) =>
    Int32Array.from(nodes),
  );
  const wave = waveOf.map((value) => (value < 0 ? waves.length : value));
  const height = new Float64Array(graph.size);
  for (const column of columns) spread(column, height);
  const dependencies = { starts: graph.dependencyStart, nodes: graph.dependencies };
  const dependents = { starts: graph.dependentStart, nodes: graph.dependents };
  const wanted = new Float64Array(graph.size);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (let c = 1; c < columns.length; c++) arrange(columns[c]!, dependencies, height, wanted);
    for (let c = columns.length - 2; c >= 0; c--) arrange(columns[c]!, dependents, height, wanted);
  }
  if (graph.dependencies.length <= untangledEdges) untangle({ graph, columns, columnOf: wave, height });
  if (before) for (const column of columns) keepOrder(column, before);
  const row = new Int32Array(graph.size);
  for (const column of columns) column.forEach((node, i) => (row[node] = i));
  return {
    columnCount: columns.length,
    wave,
    row,
    columnSizes: Int32Array.from(columns, (column) => column.length),
  };
}

/** Sorts one column by the mean height of each skill's neighbours; a skill without any stays where it is. */
function arrange(
  column: Int32Array,
  neighbours: Neighbours,
  height: Float64Array,
  wanted: Float64Array,
): void {
  for (let i = 0; i < column.length; i++) {
    const node = column[i]!;
    const start = neighbours.starts[node]!;
    const end = neighbours.starts[node + 1]!;
    let sum = 0;
    for (let k = start; k < end; k++) sum += height[neighbours.nodes[k]!]!;
    wanted[node] = end > start ? sum / (end - start) : height[node]!;
  }
  // A large column is sorted natively; a small one is nearly in order after the first sweep.
  if (column.length > 64) column.sort((a, b) => wanted[a]! - wanted[b]! || height[a]! - height[b]!);
  else insertionSort(column, wanted);
  spread(column, height);
}

/** Puts the skills that were there back into their order; a new one stays behind the one it was arranged after. */
function keepOrder(column: Int32Array, before: Float64Array): void {
  const known = column.filter((node) => !Number.isNaN(before[node]!));
  known.sort((a, b) => before[a]! - before[b]!);
  const followers = new Map<number, number[]>();
  let last = -1;
  for (const node of column) {
    if (!Number.isNaN(before[node]!)) last = node;
    else followers.set(last, [...(followers.get(last) ?? []), node]);
  }
  let at = 0;
  for (const node of [-1, ...known]) {
    if (node >= 0) column[at++] = node;
    for (const follower of followers.get(node) ?? []) column[at++] = follower;
  }
}

function insertionSort(column: Int32Array, wanted: Float64Array): void {
  for (let i = 1; i < column.length; i++) {
    const node = column[i]!;
    let j = i;
    for (; j > 0 && wanted[column[j - 1]!]! > wanted[node]!; j--) column[j] = column[j - 1]!;
    column[j] = node;
  }
}

function spread(column: Int32Array, height: Float64Array): void {
  for (let i = 0; i < column.length; i++) height[column[i]!] = i - (column.length - 1) / 2;
}
