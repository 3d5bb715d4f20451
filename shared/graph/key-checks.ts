import { compareText } from './compare-text.ts';
import { components, type Components } from './components.ts';
import { reachableProducers } from './reachable-producers.ts';
import type { SkillGraph } from './skill-graph.ts';

/** A finding about context keys or about a skill's place in the graph; `node` is the skill's index. */
export type GraphFinding =
  | {
      readonly kind: 'unsatisfied-requires';
      readonly node: number;
      readonly key: string;
      /** The first keys produced upstream, sorted. */
      readonly available: readonly string[];
      readonly hasMoreAvailable: boolean;
    }
  | {
      readonly kind: 'several-producers';
      readonly node: number;
      readonly key: string;
      /** The first producers upstream, in declaration order. */
      readonly producers: readonly number[];
      readonly producerCount: number;
    }
  | { readonly kind: 'unused-produces'; readonly node: number; readonly key: string }
  | { readonly kind: 'orphan'; readonly node: number };

/** No finding lists more than this many keys or producers: all of them would be the square of the graph. */
export const listLimit = 20;

/**
 * Checks what every skill requires against what is produced upstream of it, in declaration order. Upstream
 * is what can be reached along dependencies, so a skill sees its own keys only through a cycle.
 */
export function checkKeys(graph: SkillGraph, runInputs: ReadonlySet<string>): GraphFinding[] {
  const parts = components(graph);
  const { requirements, isUsed } = reachableProducers(graph, parts, listLimit);
  const unsatisfied = requirements.filter((r) => r.producerCount === 0 && !runInputs.has(r.key));
  const available = unsatisfied.length > 0 ? availableKeys(graph, parts) : undefined;

  const findings: GraphFinding[] = [];
  for (const { node, key, producers, producerCount } of requirements) {
    if (producerCount === 0 && !runInputs.has(key)) {
      const keys = available!(node);
      const hasMoreAvailable = keys.length > listLimit;
      findings.push({
        kind: 'unsatisfied-requires',
        node,
        key,
        available: keys.slice(0, listLimit),
        hasMoreAvailable,
      });
    } else if (producerCount > 1) {
      findings.push({ kind: 'several-producers', node, key, producers, producerCount });
    }
  }
  graph.nodes.forEach((node, i) => {
    for (const key of new Set(node.produces)) {
      if (!isUsed(i, key)) findings.push({ kind: 'unused-produces', node: i, key });
    }
  });
  return findings;
}

/** Skills without any edge in a graph of several; one with a missing dependency is not alone by intent. */
export function findOrphans(graph: SkillGraph): GraphFinding[] {
  if (graph.size < 2) return [];
  const hasMissing = new Set(graph.missing.map(({ from }) => from));
  const findings: GraphFinding[] = [];
  for (let i = 0; i < graph.size; i++) {
    const edges =
      graph.dependencyStart[i + 1]! -
      graph.dependencyStart[i]! +
      graph.dependentStart[i + 1]! -
      graph.dependentStart[i]!;
    if (edges === 0 && !hasMissing.has(i)) findings.push({ kind: 'orphan', node: i });
  }
  return findings;
}

/** For each skill the smallest keys produced upstream, one more than a finding lists. */
function availableKeys(graph: SkillGraph, { count, componentOf }: Components): (node: number) => string[] {
  const members: number[][] = Array.from({ length: count }, () => []);
  for (let i = 0; i < graph.size; i++) members[componentOf[i]!]!.push(i);
  const seen: string[][] = [];
  const withOwn: string[][] = [];
  // A component comes after those it depends on, so their lists are ready when they are read.
  for (let component = 0; component < count; component++) {
    const own = new Set<string>();
    const upstream = new Set<string>();
    let isCyclic = false;
    for (const node of members[component]!) {
      for (const key of graph.nodes[node]!.produces) own.add(key);
      for (let k = graph.dependencyStart[node]!; k < graph.dependencyStart[node + 1]!; k++) {
        const dependency = componentOf[graph.dependencies[k]!]!;
        if (dependency === component) isCyclic = true;
        else for (const key of withOwn[dependency]!) upstream.add(key);
      }
    }
    const all = smallest([...own, ...upstream]);
    withOwn.push(all);
    seen.push(isCyclic ? all : smallest([...upstream]));
  }
  return (node) => seen[componentOf[node]!]!;
}

function smallest(keys: readonly string[]): string[] {
  return [...new Set(keys)].sort(compareText).slice(0, listLimit + 1);
}
