import type { DrawnSkill, GraphDrawing } from './graph-drawing.ts';

/** A context key that a skill reads, and the skills upstream that deliver it, by record key. */
export interface RequiredKey {
  readonly key: string;
  readonly producers: readonly string[];
}

/** What a skill reads and from whom it comes; upstream is all that can be reached along dependencies. */
export function requiredKeys(drawing: GraphDrawing, from: DrawnSkill): RequiredKey[] {
  const upstream = new Set<string>();
  const pending = [...from.dependsOn];
  for (let key = pending.pop(); key !== undefined; key = pending.pop()) {
    if (upstream.has(key)) continue;
    upstream.add(key);
    pending.push(...drawing.byKey.get(key)!.dependsOn);
  }
  const skills = drawing.skills.filter(({ key }) => upstream.has(key));
  return from.skill.requires.map((key) => ({
    key,
    producers: skills.filter(({ skill }) => skill.produces.includes(key)).map((producer) => producer.key),
  }));
}

/** The context keys that go along one edge. */
export function flowingKeys(from: DrawnSkill, to: DrawnSkill): string[] {
  return from.skill.produces.filter((key) => to.skill.requires.includes(key));
}
