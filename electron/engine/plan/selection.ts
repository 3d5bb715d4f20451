import { downstream, upstream } from '#shared/graph/closure.ts';
import { findSkills } from '#shared/graph/find-skills.ts';
import type { SkillGraph } from '#shared/graph/skill-graph.ts';
import type { Selection } from '#shared/model/plan.ts';

/** What a selection asks of earlier runs and of a plan for the whole graph. */
export interface SelectionFacts {
  readonly hasFailed: (index: number) => boolean;
  readonly isStale: (index: number) => boolean;
}

/**
 * The skills that a selection means, with everything they need unless they are meant alone, in declaration order. Where
 * several parts are given, a skill must be meant by each of them; names that no skill has are refused.
 */
export function selectSkills(
  graph: SkillGraph,
  { only, to, from, failed, stale, alone }: Selection,
  facts: SelectionFacts,
): number[] {
  const parts: number[][] = [];
  if (only) parts.push(alone ? findSkills(graph, only) : upstream(graph, findSkills(graph, only)));
  if (to) parts.push(upstream(graph, findSkills(graph, to)));
  if (from) parts.push(downstream(graph, findSkills(graph, from)));
  if (failed) parts.push(downstream(graph, indexes(graph, facts.hasFailed)));
  if (stale) parts.push(indexes(graph, facts.isStale));
  const [first = indexes(graph, () => true), ...others] = parts;
  const meant = others.reduce((left, part) => {
    const isIn = new Set(part);
    return left.filter((index) => isIn.has(index));
  }, first);
  return alone ? meant : upstream(graph, meant);
}

function indexes(graph: SkillGraph, isMeant: (index: number) => boolean): number[] {
  return Array.from(graph.ids.keys()).filter(isMeant);
}
