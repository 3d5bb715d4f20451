import { matchSkills } from '#shared/agent-skills/match.ts';
import type { SkillMatch } from '#shared/agent-skills/match.ts';
import { labels } from '#shared/graph/labels.ts';
import type { SkillGraph } from '#shared/graph/skill-graph.ts';
import type { Skill } from '#shared/model/skill.ts';

/** A resolved lens as far as its skills are found by it. */
export interface MatchedLens {
  readonly graph: SkillGraph;
  /** The graph's skills, by their index in it. */
  readonly skills: readonly { readonly id: string; readonly name: string; readonly skill: Skill }[];
  /** Shortcut → id of the skill it means, where there is one. */
  readonly shortcuts: ReadonlyMap<string, { readonly id: string | undefined }>;
}

/** Ranks the skills of a lens for a task, by the names its graph has for them. */
export function matchLens({ graph, skills, shortcuts }: MatchedLens, task: string): SkillMatch[] {
  const label = labels(graph);
  return matchSkills(
    task,
    skills.map(({ id, name, skill: { description, triggers, files } }, node) => ({
      skill: label[node]!,
      name,
      ...(description !== undefined && { description }),
      ...(triggers && { triggers }),
      ...(files && { files }),
      shortcuts: [...shortcuts].flatMap(([key, meant]) => (meant.id === id ? [key] : [])),
    })),
  );
}
