import { buildGraph } from '#shared/graph/skill-graph.ts';
import { toJson } from '#shared/graph/to-json.ts';
import { readOutline } from '#shared/lens/outline.ts';
import type { Diagnostic, Location } from '#shared/model/diagnostic.ts';
import type { ResolvedGraph, ResolvedGraphSkill } from '#shared/model/graph-document.ts';
import type { ResolvedDocument } from '#shared/model/lens-document.ts';

/** What a test says of a skill; the rest is made up. */
export interface SkillSketch extends Partial<
  Pick<ResolvedGraphSkill, 'description' | 'produces' | 'requires' | 'source' | 'origin' | 'overrides'>
> {
  readonly name: string;
  readonly dependsOn?: readonly string[];
}

export const testFile = 'a.lens';

export function placeAt(line: number, file = testFile): Location {
  return { file, line, column: 1, endLine: line + 1, endColumn: 1 };
}

/** A resolved graph of these skills, each on a line of its own; ids are `file:name`. */
export function resolvedGraph(
  sketches: readonly SkillSketch[],
  diagnostics: readonly Diagnostic[] = [],
): ResolvedGraph {
  const skills = sketches.map((sketch, i): ResolvedGraphSkill => {
    const origin = sketch.origin ?? placeAt(i + 1);
    return {
      ...{ id: `${origin.file}:${sketch.name}`, produces: [], requires: [], type: 'inline', source: 'own' },
      ...{ trust: 'sandboxed', scripts: [], hasInstructions: true, files: null },
      ...sketch,
      origin,
      dependsOn: (sketch.dependsOn ?? []).map((id) => ({ source: id, skillName: id, isLocal: true })),
    };
  });
  const idOf = new Map(skills.map(({ name, id }) => [name, id]));
  const linked = skills.map((skill) => ({
    ...skill,
    dependsOn: skill.dependsOn.map((reference) => ({
      ...reference,
      source: idOf.get(reference.source) ?? reference.source,
    })),
  }));
  const graph = buildGraph(
    linked.map((skill) => ({ ...skill, dependsOn: skill.dependsOn.map(({ source }) => source) })),
  );
  return toJson(graph, {
    ...{ lensName: 'Test', contentHash: 'hash', diagnostics },
    skillOf: (node) => linked[node]!,
  });
}

/** A simple engine's answer: the skills of the text, and an error for each dependency that the text lacks. */
export function resolvedText(file: string, text: string): ResolvedDocument {
  const skills = readOutline(text).skills.map(({ name, dependsOn }, i) => {
    return { name, dependsOn, origin: placeAt(i + 1, file) };
  });
  const names = new Set(skills.map(({ name }) => name));
  const diagnostics = skills.flatMap(({ dependsOn, origin }) =>
    dependsOn
      .filter((name) => !names.has(name))
      .map((name) => {
        const start = text.indexOf(name);
        const edit = { file, start, end: start + name.length, text: skills[0]!.name };
        return {
          ...{ code: 'graph.missing-dependency', severity: 'error' as const, location: origin },
          ...{ message: `"${name}" is missing`, fixes: [{ title: 'Depend on the first', edits: [edit] }] },
        };
      }),
  );
  return { graph: resolvedGraph(skills, diagnostics), lens: null };
}
