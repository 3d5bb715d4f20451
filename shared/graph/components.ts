import type { SkillGraph } from './skill-graph.ts';

/** Strongly connected components, numbered so that a component comes after those it depends on. */
export interface Components {
  readonly count: number;
  readonly componentOf: Int32Array;
}

/** Finds the strongly connected components (Tarjan, with its own stack: a long chain must not overflow ours). */
export function components(graph: SkillGraph): Components {
  const { size, dependencyStart, dependencies } = graph;
  const componentOf = new Int32Array(size).fill(-1);
  const visit = new Int32Array(size).fill(-1);
  const low = new Int32Array(size);
  const nextEdge = new Int32Array(size);
  const open = new Int32Array(size);
  const path = new Int32Array(size);
  let openCount = 0;
  let visited = 0;
  let count = 0;
  for (let root = 0; root < size; root++) {
    if (visit[root]! >= 0) continue;
    let depth = 0;
    path[0] = root;
    while (depth >= 0) {
      const node = path[depth]!;
      if (visit[node]! < 0) {
        visit[node] = low[node] = visited++;
        nextEdge[node] = dependencyStart[node]!;
        open[openCount++] = node;
      }
      if (nextEdge[node]! < dependencyStart[node + 1]!) {
        const target = dependencies[nextEdge[node]!++]!;
        if (visit[target]! < 0) path[++depth] = target;
        else if (componentOf[target]! < 0) low[node] = Math.min(low[node]!, visit[target]!);
        continue;
      }
      if (low[node] === visit[node]) {
        while (componentOf[node]! < 0) componentOf[open[--openCount]!] = count;
        count++;
      }
      if (--depth >= 0) low[path[depth]!] = Math.min(low[path[depth]!]!, low[node]!);
    }
  }
  return { count, componentOf };
}

/** Members of every component that holds a cycle: more than one skill, or one that depends on itself. */
export function cyclicComponents(graph: SkillGraph): number[][] {
  const { count, componentOf } = components(graph);
  const members: number[][] = Array.from({ length: count }, () => []);
  for (let i = 0; i < graph.size; i++) members[componentOf[i]!]!.push(i);
  return members.filter((group) => group.length > 1 || dependsOnItself(graph, group[0]!));
}

function dependsOnItself(graph: SkillGraph, node: number): boolean {
  for (let k = graph.dependencyStart[node]!; k < graph.dependencyStart[node + 1]!; k++) {
    if (graph.dependencies[k] === node) return true;
  }
  return false;
}
