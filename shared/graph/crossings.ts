import type { Layout } from './layout.ts';
import type { SkillGraph } from './skill-graph.ts';

/** How many pairs of edges cross when columns are centred and edges are straight lines; compares all pairs. */
export function crossings(graph: SkillGraph, { wave, row, columnSizes }: Layout): number {
  const lines: { left: number; right: number; start: number; slope: number }[] = [];
  const height = (node: number) => row[node]! - (columnSizes[wave[node]!]! - 1) / 2;
  for (let node = 0; node < graph.size; node++) {
    for (let k = graph.dependencyStart[node]!; k < graph.dependencyStart[node + 1]!; k++) {
      const dependency = graph.dependencies[k]!;
      const left = wave[dependency]!;
      const right = wave[node]!;
      if (left === right) continue;
      const start = height(dependency);
      lines.push({ left, right, start, slope: (height(node) - start) / (right - left) });
    }
  }
  lines.sort((a, b) => a.left - b.left);
  let count = 0;
  lines.forEach((a, i) => {
    for (let j = i + 1; j < lines.length && lines[j]!.left < a.right; j++) {
      const b = lines[j]!;
      const right = Math.min(a.right, b.right);
      const before = a.start + (b.left - a.left) * a.slope - b.start;
      const after = before + (right - b.left) * (a.slope - b.slope);
      if (before * after < -1e-9) count++;
    }
  });
  return count;
}
