import type { SkillGraph } from './skill-graph.ts';

/** The given skills and everything they need, in declaration order. */
export function upstream(graph: SkillGraph, from: Iterable<number>): number[] {
  return reach(graph.size, from, graph.dependencyStart, graph.dependencies);
}

/** The given skills and everything that needs them, in declaration order. */
export function downstream(graph: SkillGraph, from: Iterable<number>): number[] {
  return reach(graph.size, from, graph.dependentStart, graph.dependents);
}

function reach(size: number, from: Iterable<number>, starts: Int32Array, targets: Int32Array): number[] {
  const seen = new Uint8Array(size);
  const pending: number[] = [];
  for (const node of from) {
    if (!seen[node]) pending.push(node);
    seen[node] = 1;
  }
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (let k = starts[node]!; k < starts[node + 1]!; k++) {
      const target = targets[k]!;
      if (!seen[target]) pending.push(target);
      seen[target] = 1;
    }
  }
  const reached: number[] = [];
  for (let i = 0; i < size; i++) if (seen[i]) reached.push(i);
  return reached;
}
