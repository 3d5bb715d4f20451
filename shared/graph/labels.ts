import type { SkillGraph } from './skill-graph.ts';

/** What each skill is called where it must be unique: its name, or its qualified id where the name would clash. */
export function labels(graph: SkillGraph): string[] {
  const shared = new Set<string>();
  const seen = new Set<string>();
  for (const name of graph.names) {
    if (seen.has(name)) shared.add(name);
    seen.add(name);
  }
  return graph.names.map((name, i) => {
    const owner = graph.indexOf.get(name);
    return shared.has(name) || (owner !== undefined && owner !== i) ? graph.ids[i]! : name;
  });
}
