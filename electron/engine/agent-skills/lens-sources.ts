import { dirname } from 'node:path';
import { upstream } from '#shared/graph/closure.ts';
import { order } from '#shared/graph/order.ts';
import type { SkillGraph } from '#shared/graph/skill-graph.ts';
import { exportJudgment, exportSkills } from './export-skills.ts';
import type { ExportedLens, ExportedSkill } from './export-skills.ts';
import type { SkillSource } from './prepare-skill.ts';

/** A resolved lens or library with its graph. */
export interface InstalledLens extends ExportedLens {
  readonly graph: SkillGraph;
}

/**
 * The skills of a lens to install, with everything they depend on, dependencies first. Without ids: all of them, and
 * the lens's own judgment as a skill where it has any.
 */
export async function lensSources(from: InstalledLens, ids?: readonly string[]): Promise<SkillSource[]> {
  const nodes = withDependencies(from, ids ?? from.graph.ids);
  const sources: SkillSource[] = [];
  for (const node of nodes) {
    if (node.skillFile?.isWhole) {
      sources.push({ kind: 'path', path: dirname(node.skillFile.file.path), name: node.name });
    } else {
      for (const tree of await exportSkills(from, [node])) sources.push({ kind: 'tree', ...tree });
    }
  }
  const judgment =
    ids === undefined
      ? exportJudgment(
          from,
          nodes.map(({ name }) => name),
        )
      : undefined;
  return judgment ? [{ kind: 'tree', ...judgment }, ...sources] : sources;
}

function withDependencies({ graph, skills }: InstalledLens, ids: readonly string[]): ExportedSkill[] {
  const wanted = new Set(
    upstream(
      graph,
      ids.flatMap((id) => graph.indexOf.get(id) ?? []),
    ),
  );
  const { order: placed, unplaced } = order(graph);
  return [...placed, ...unplaced].filter((node) => wanted.has(node)).map((node) => skills[node]!);
}
