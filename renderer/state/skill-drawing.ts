import { layout } from '#shared/graph/layout.ts';
import { buildGraph } from '#shared/graph/skill-graph.ts';
import { waves } from '#shared/graph/waves.ts';
import type { SkillOutline } from '#shared/lens/outline.ts';

/** One skill as it is drawn: where it stands and whom it is tied to, by id. */
export interface DrawnSkill {
  readonly id: string;
  readonly name: string;
  readonly description: string | undefined;
  readonly column: number;
  /** Its height in its column, in rows from the top of the tallest column. */
  readonly row: number;
  readonly dependsOn: readonly string[];
  readonly neededBy: readonly string[];
  /** Names it depends on that no skill of the file has. */
  readonly missing: readonly string[];
}

export interface DrawnWave {
  readonly title: string;
  readonly count: number;
}

/** A file's skills in wave columns; skills that wait for themselves share a column of their own. */
export interface SkillDrawing {
  readonly skills: readonly DrawnSkill[];
  readonly byId: ReadonlyMap<string, DrawnSkill>;
  readonly waves: readonly DrawnWave[];
  readonly rowCount: number;
}

export function drawSkills(outlines: readonly SkillOutline[]): SkillDrawing {
  const ids = uniqueIds(outlines);
  const graph = buildGraph(
    outlines.map(({ name, dependsOn }, i) => ({
      ...{ id: ids[i] ?? name, name, dependsOn },
      ...{ produces: [], requires: [] },
    })),
  );
  const found = waves(graph);
  const { columnCount, columnSizes, wave, row } = layout(graph, found);
  const rowCount = Math.max(0, ...columnSizes);
  const idsAt = (starts: Int32Array, list: Int32Array, i: number): string[] =>
    [...list.subarray(starts[i], starts[i + 1])].map((at) => graph.ids[at] ?? '');
  const skills = outlines.map(({ name, description }, i): DrawnSkill => {
    const column = wave[i] ?? 0;
    return {
      ...{ id: ids[i] ?? name, name, description, column },
      row: (row[i] ?? 0) + (rowCount - (columnSizes[column] ?? 0)) / 2,
      dependsOn: idsAt(graph.dependencyStart, graph.dependencies, i),
      neededBy: idsAt(graph.dependentStart, graph.dependents, i),
      missing: graph.missing.filter(({ from }) => from === i).map(({ to }) => to),
    };
  });
  const columns = Array.from({ length: columnCount }, (_, c): DrawnWave => ({
    title: c < found.waves.length ? `Wave ${c + 1}` : 'In a cycle',
    count: columnSizes[c] ?? 0,
  }));
  return { skills, byId: new Map(skills.map((skill) => [skill.id, skill])), waves: columns, rowCount };
}

/** The first skill of a name keeps it as its id; a repeated name must still be drawn, so it gets a number. */
function uniqueIds(outlines: readonly SkillOutline[]): string[] {
  const taken = new Set<string>();
  return outlines.map(({ name }) => {
    let id = name;
    for (let n = 2; taken.has(id); n++) id = `${name} (${n})`;
    taken.add(id);
    return id;
  });
}
