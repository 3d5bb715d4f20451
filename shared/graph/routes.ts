import type { Layout } from './layout.ts';
import type { GraphEdges } from './skill-graph.ts';

/** Where long edges pass the columns between their ends. */
export interface Routes {
  /** The passes of edge `k` of `dependencies` are `passes[starts[k] .. starts[k + 1])`, from left to right. */
  readonly starts: Int32Array;
  /** Heights in rows from the middle line, each halfway between two skills or beyond the column's ends. */
  readonly passes: Float32Array;
}

/** Leads every edge between the skills of the columns it crosses, near the straight line, so that none runs behind a skill. */
export function routes(graph: GraphEdges, { wave, row, columnSizes }: Layout): Routes {
  const { size, dependencyStart, dependencies } = graph;
  const starts = new Int32Array(dependencies.length + 1);
  for (let node = 0; node < size; node++) {
    for (let k = dependencyStart[node]!; k < dependencyStart[node + 1]!; k++) {
      starts[k + 1] = Math.max(0, wave[node]! - wave[dependencies[k]!]! - 1);
    }
  }
  for (let k = 0; k < dependencies.length; k++) starts[k + 1]! += starts[k]!;
  const passes = new Float32Array(starts[dependencies.length]!);
  const heightOf = (node: number): number => row[node]! - (columnSizes[wave[node]!]! - 1) / 2;
  for (let node = 0; node < size; node++) {
    for (let k = dependencyStart[node]!; k < dependencyStart[node + 1]!; k++) {
      const from = wave[dependencies[k]!]!;
      const span = wave[node]! - from;
      let height = heightOf(dependencies[k]!);
      const end = heightOf(node);
      for (let step = 1; step < span; step++) {
        // From the last pass, not from the start: an edge that had to give way goes on from where it is.
        height += (end - height) / (span - step + 1);
        height = nearestGap(height, columnSizes[from + step]!);
        passes[starts[k]! + step - 1] = height;
      }
    }
  }
  return { starts, passes };
}

/** The free height next to this one: gaps are at whole distances from the column's upper end. */
function nearestGap(height: number, columnSize: number): number {
  const end = columnSize / 2;
  if (Math.abs(height) >= end) return height;
  return Math.min(end, Math.max(-end, Math.round(height + end) - end));
}
