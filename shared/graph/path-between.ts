import type { SkillGraph } from './skill-graph.ts';

/**
 * A shortest chain from a skill down to one that needs it, both ends included; among equals the one with the
 * smallest ids. Nothing when `to` does not need `from`.
 */
export function pathBetween(graph: SkillGraph, from: number, to: number): number[] | undefined {
  const distance = distancesUpstream(graph, to);
  if (distance[from]! < 0) return undefined;
  const path = [from];
  for (let node = from; node !== to;) {
    let next = -1;
    for (let k = graph.dependentStart[node]!; k < graph.dependentStart[node + 1]!; k++) {
      const dependent = graph.dependents[k]!;
      if (distance[dependent] !== distance[node]! - 1) continue;
      if (next < 0 || graph.ids[dependent]! < graph.ids[next]!) next = dependent;
    }
    path.push(next);
    node = next;
  }
  return path;
}

function distancesUpstream(graph: SkillGraph, to: number): Int32Array {
  const distance = new Int32Array(graph.size).fill(-1);
  const queue = [to];
  distance[to] = 0;
  for (const node of queue) {
    for (let k = graph.dependencyStart[node]!; k < graph.dependencyStart[node + 1]!; k++) {
      const dependency = graph.dependencies[k]!;
      if (distance[dependency]! >= 0) continue;
      distance[dependency] = distance[node]! + 1;
      queue.push(dependency);
    }
  }
  return distance;
}
