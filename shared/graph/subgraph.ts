import { upstream } from './closure.ts';
import { findSkills } from './find-skills.ts';
import { buildGraph, type SkillGraph } from './skill-graph.ts';

/** The graph of only these skills and what they need, in the declaration order of the whole. */
export function subgraph(graph: SkillGraph, names: readonly string[]): SkillGraph {
  return buildGraph(upstream(graph, findSkills(graph, names)).map((node) => graph.nodes[node]!));
}
