import { buildGraph } from '#shared/graph/skill-graph.ts';
import type { SkillGraph } from '#shared/graph/skill-graph.ts';
import type { ResolvedGraph, ResolvedGraphSkill } from '#shared/model/graph-document.ts';
import { skillProblems } from './skill-problems.ts';
import type { SkillProblems } from './skill-problems.ts';

/** One skill as it is drawn: its wave and whom it is tied to, by record key. */
export interface DrawnSkill {
  /** Its record key, which is also what it is called. */
  readonly key: string;
  readonly skill: ResolvedGraphSkill;
  readonly column: number;
  readonly dependsOn: readonly string[];
  readonly neededBy: readonly string[];
  readonly problems: SkillProblems;
}

export interface DrawnWave {
  readonly title: string;
  readonly count: number;
  /** How long it takes when all its skills run at once, where known. */
  readonly estimatedMs: number | undefined;
}

/** A resolved graph in waves; skills that wait for themselves share a last one of their own. */
export interface GraphDrawing {
  /** By wave, then by name. */
  readonly skills: readonly DrawnSkill[];
  readonly byKey: ReadonlyMap<string, DrawnSkill>;
  readonly waves: readonly DrawnWave[];
  /** The same skills for algorithms, in the same order. */
  readonly graph: SkillGraph;
}

export function drawGraph({ skills: records, waves, unplaced, diagnostics }: ResolvedGraph): GraphDrawing {
  const groups = [
    ...waves.map(({ skills, estimatedDurationMs }, i) => ({
      ...{ title: `Wave ${i + 1}`, keys: skills, estimatedMs: estimatedDurationMs },
    })),
    ...(unplaced.length > 0 ? [{ title: 'In a cycle', keys: unplaced, estimatedMs: undefined }] : []),
  ];
  const entries = groups.flatMap(({ keys }, column) =>
    keys.map((key) => ({ key, column, skill: records[key]! })),
  );
  const graph = buildGraph(
    entries.map(({ skill: { id, name, dependsOn, produces, requires } }) => ({
      ...{ id, name, dependsOn: dependsOn.map(({ source }) => source), produces, requires },
    })),
  );
  const keysAt = (starts: Int32Array, list: Int32Array, i: number): string[] =>
    Array.from(list.subarray(starts[i], starts[i + 1]), (at) => entries[at]!.key);
  const problemsOf = skillProblems(
    entries.map(({ skill }) => skill),
    diagnostics,
  );
  const skills = entries.map((entry, i): DrawnSkill => ({
    ...entry,
    dependsOn: keysAt(graph.dependencyStart, graph.dependencies, i),
    neededBy: keysAt(graph.dependentStart, graph.dependents, i),
    problems: problemsOf(entry.skill),
  }));
  const columns = groups.map(({ title, keys, estimatedMs }) => ({ title, count: keys.length, estimatedMs }));
  return { skills, byKey: new Map(skills.map((skill) => [skill.key, skill])), waves: columns, graph };
}
