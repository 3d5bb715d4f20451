import type { GraphEdges } from './skill-graph.ts';

/** Completes edges that are known by their dependencies: adds who depends on whom. */
export function withDependents(
  edges: Pick<GraphEdges, 'size' | 'dependencyStart' | 'dependencies'>,
): GraphEdges {
  const { size, dependencyStart, dependencies } = edges;
  const dependentStart = new Int32Array(size + 1);
  for (const dependency of dependencies) dependentStart[dependency + 1]!++;
  for (let i = 0; i < size; i++) dependentStart[i + 1]! += dependentStart[i]!;
  const next = dependentStart.slice(0, size);
  const dependents = new Int32Array(dependencies.length);
  for (let node = 0; node < size; node++) {
    for (let k = dependencyStart[node]!; k < dependencyStart[node + 1]!; k++) {
      dependents[next[dependencies[k]!]!++] = node;
    }
  }
  return { ...edges, dependentStart, dependents };
}
