import type { SkillGraph } from './skill-graph.ts';
import type { Waves } from './waves.ts';

/** Where each skill is drawn: its column (skills without a wave share one after the last) and its row there. */
export interface Layout {
  readonly columnCount: number;
  readonly wave: Int32Array;
  readonly row: Int32Array;
  /** Skills per column. Columns are drawn centred on one line; that is what the rows are chosen for. */
  readonly columnSizes: Int32Array;
}

const sweeps = 4;

/** Places skills in wave columns with few crossing edges, the same for any order of declaration. */
export function layout(graph: SkillGraph, { waves, unplaced, waveOf }: Waves): Layout {
  const columns = [...waves, ...(unplaced.length > 0 ? [unplaced] : [])].map((nodes) =>
    Int32Array.from(nodes),
  );
  const wave = waveOf.map((value) => (value < 0 ? waves.length : value));
  const height = new Float64Array(graph.size);
  for (const column of columns) spread(column, height);
  for (let sweep = 0; sweep < sweeps; sweep++) {
    for (let c = 1; c < columns.length; c++) {
      arrange(columns[c]!, graph.dependencyStart, graph.dependencies, height);
    }
    for (let c = columns.length - 2; c >= 0; c--) {
      arrange(columns[c]!, graph.dependentStart, graph.dependents, height);
    }
  }
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
function arrange(column: Int32Array, starts: Int32Array, neighbours: Int32Array, height: Float64Array): void {
  const wanted = new Map<number, number>();
  for (const node of column) {
    const start = starts[node]!;
    const end = starts[node + 1]!;
    let sum = 0;
    for (let k = start; k < end; k++) sum += height[neighbours[k]!]!;
    wanted.set(node, end > start ? sum / (end - start) : height[node]!);
  }
  column.sort((a, b) => wanted.get(a)! - wanted.get(b)! || height[a]! - height[b]!);
  spread(column, height);
}

function spread(column: Int32Array, height: Float64Array): void {
  for (let i = 0; i < column.length; i++) height[column[i]!] = i - (column.length - 1) / 2;
}
