import type { Resolution } from '#engine/resolve/resolve.ts';
import { matchSkills } from '#shared/agent-skills/match.ts';
import { labels } from '#shared/graph/labels.ts';

/** Ranks the skills of a lens for a task, by the names its graph has for them. */
export function matchLens({ graph, skills }: Resolution, task: string): ReturnType<typeof matchSkills> {
  const label = labels(graph);
  return matchSkills(
    task,
    skills.map(({ name, skill: { description, triggers } }, node) => ({
      skill: label[node]!,
      name,
      ...(description !== undefined && { description }),
      ...(triggers && { triggers }),
    })),
  );
}
