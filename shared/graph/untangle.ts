import type { GraphEdges } from './skill-graph.ts';

/** What to untangle: skills by column, each skill's column, and its height there. Columns and heights change. */
export interface Tangle {
  readonly graph: GraphEdges;
  readonly columns: readonly Int32Array[];
  readonly columnOf: Int32Array;
  readonly height: Float64Array;
}

const passes = 4;

/**
 * Swaps neighbours within their columns for as long as that uncrosses straight edges. A swap is compared
 * with every edge, so this is for graphs small enough to be read.
 */
export function untangle({ graph, columns, columnOf, height }: Tangle): void {
  const { from, to, at } = collectLines(graph, columnOf);
  const left = from.map((node) => columnOf[node]!);
  const right = to.map((node) => columnOf[node]!);
  const slope = new Float64Array(from.length);
  const offset = new Float64Array(from.length);
  for (let line = 0; line < from.length; line++) measure(line);

  for (let pass = 0; pass < passes; pass++) {
    let hasImproved = false;
    for (const column of columns) {
      for (let i = 1; i < column.length; i++) {
        const before = crossingsAt(column[i - 1]!, column[i]!);
        if (before === 0) continue;
        swap(column, i);
        if (crossingsAt(column[i - 1]!, column[i]!) < before) hasImproved = true;
        else swap(column, i);
      }
    }
    if (!hasImproved) return;
  }

  function measure(line: number): void {
    const start = height[from[line]!]!;
    slope[line] = (height[to[line]!]! - start) / (right[line]! - left[line]!);
    offset[line] = start - slope[line] * left[line]!;
  }

  function swap(column: Int32Array, i: number): void {
    const upper = column[i - 1]!;
    const lower = column[i]!;
    column[i - 1] = lower;
    column[i] = upper;
    [height[upper], height[lower]] = [height[lower]!, height[upper]!];
    at[upper]!.forEach(measure);
    at[lower]!.forEach(measure);
  }

  /** Crossings of the edges at two skills of one column: swapping these two changes no others. */
  function crossingsAt(a: number, b: number): number {
    return (
      at[a]!.reduce((sum, line) => sum + crossingsOf(line), 0) +
      at[b]!.reduce((sum, line) => sum + crossingsOf(line), 0)
    );
  }

  function crossingsOf(line: number): number {
    const lineLeft = left[line]!;
    const lineRight = right[line]!;
    const lineSlope = slope[line]!;
    const lineOffset = offset[line]!;
    let count = 0;
    for (let other = 0; other < slope.length; other++) {
      const start = Math.max(lineLeft, left[other]!);
      const end = Math.min(lineRight, right[other]!);
      if (start >= end) continue;
      const apart = lineOffset - offset[other]!;
      const turn = lineSlope - slope[other]!;
      if ((apart + turn * start) * (apart + turn * end) < -1e-9) count++;
    }
    return count;
  }
}

/** Edges between different columns by their ends, and for each skill the edges at it. */
function collectLines(
  graph: GraphEdges,
  columnOf: Int32Array,
): { from: Int32Array; to: Int32Array; at: readonly (readonly number[])[] } {
  const from: number[] = [];
  const to: number[] = [];
  const at: number[][] = Array.from({ length: graph.size }, () => []);
  for (let node = 0; node < graph.size; node++) {
    for (let k = graph.dependencyStart[node]!; k < graph.dependencyStart[node + 1]!; k++) {
      const dependency = graph.dependencies[k]!;
      if (columnOf[dependency] === columnOf[node]) continue;
      at[node]!.push(from.length);
      at[dependency]!.push(from.length);
      from.push(dependency);
      to.push(node);
    }
  }
  return { from: Int32Array.from(from), to: Int32Array.from(to), at };
}
