import { buildGraph } from '#shared/graph/skill-graph.ts';
import type { SkillGraph } from '#shared/graph/skill-graph.ts';
import type { ResolvedSkill } from './nodes.ts';

/** The graph of resolved skills. */
export function graphOf(skills: readonly ResolvedSkill[]): SkillGraph {
  return buildGraph(
    skills.map(({ id, name, skill, dependsOn }) => ({
      id,
      name,
      dependsOn: dependsOn.map((dependency) => dependency.id),
      produces: (skill.produces ?? []).map(({ key }) => key),
      requires: (skill.requires ?? []).map(({ key }) => key),
    })),
  );
}
