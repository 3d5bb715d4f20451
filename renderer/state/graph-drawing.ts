import { layout } from '#shared/graph/layout.ts';
import { buildGraph } from '#shared/graph/skill-graph.ts';
import type { ResolvedGraph, ResolvedGraphSkill } from '#shared/model/graph-document.ts';
import { skillProblems } from './skill-problems.ts';
import type { SkillProblems } from './skill-problems.ts';

/** One skill as it is drawn: where it stands and whom it is tied to, by record key. */
export interface DrawnSkill {
  /** Its record key, which is also what it is called. */
  readonly key: string;
  readonly skill: ResolvedGraphSkill;
  readonly column: number;
  /** Its height in its column, in rows from the top of the tallest column. */
  readonly row: number;
  readonly dependsOn: readonly string[];
  readonly neededBy: readonly string[];
  readonly problems: SkillProblems;
}

export interface DrawnWave {
  readonly title: string;
  readonly count: number;
}

/** A resolved graph in wave columns; skills that wait for themselves share a column of their own. */
export interface GraphDrawing {
  readonly skills: readonly DrawnSkill[];
  readonly byKey: ReadonlyMap<string, DrawnSkill>;
  readonly waves: readonly DrawnWave[];
  readonly rowCount: number;
}

export function drawGraph({ skills: records, waves, unplaced, diagnostics }: ResolvedGraph): GraphDrawing {
  const entries = Object.entries(records);
  const keys = entries.map(([key]) => key);
  const indexOf = new Map(keys.map((key, i) => [key, i]));
  const graph = buildGraph(
    entries.map(([, { id, name, dependsOn }]) => ({
      ...{ id, name, dependsOn: dependsOn.map(({ source }) => source) },
      ...{ produces: [], requires: [] },
    })),
  );
  const indexes = (column: readonly string[]): number[] => column.map((key) => indexOf.get(key)!);
  const waveOf = new Int32Array(keys.length).fill(-1);
  waves.forEach((wave, i) => indexes(wave.skills).forEach((node) => (waveOf[node] = i)));
  const { columnCount, columnSizes, wave, row } = layout(graph, {
    waves: waves.map((column) => indexes(column.skills)),
    unplaced: indexes(unplaced),
    waveOf,
  });
  const rowCount = Math.max(0, ...columnSizes);
  const keysAt = (starts: Int32Array, list: Int32Array, i: number): string[] =>
    Array.from(list.subarray(starts[i], starts[i + 1]), (at) => keys[at]!);
  const problemsOf = skillProblems(
    entries.map(([, skill]) => skill),
    diagnostics,
  );
  const skills = entries.map(([key, skill], i): DrawnSkill => {
    const column = wave[i]!;
    return {
      ...{ key, skill, column },
      row: row[i]! + (rowCount - columnSizes[column]!) / 2,
      dependsOn: keysAt(graph.dependencyStart, graph.dependencies, i),
      neededBy: keysAt(graph.dependentStart, graph.dependents, i),
      problems: problemsOf(skill),
    };
  });
  const columns = Array.from({ length: columnCount }, (_, c): DrawnWave => ({
    title: c < waves.length ? `Wave ${c + 1}` : 'In a cycle',
    count: columnSizes[c]!,
  }));
  return { skills, byKey: new Map(skills.map((skill) => [skill.key, skill])), waves: columns, rowCount };
}
