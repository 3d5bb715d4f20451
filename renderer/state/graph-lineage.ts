import { downstream, upstream } from '#shared/graph/closure.ts';
import { pathBetween } from '#shared/graph/path-between.ts';
import type { GraphDrawing } from './graph-drawing.ts';

/** All that a skill needs and all that needs it, as far as `depth` steps, with the skill itself. */
export function lineage(drawing: GraphDrawing, key: string, depth: number): ReadonlySet<string> {
  const found = new Set([key]);
  for (const next of ['dependsOn', 'neededBy'] as const) {
    let ring: readonly string[] = [key];
    for (let step = 0; step < depth && ring.length > 0; step++) {
      const seen = new Set(ring.flatMap((at) => drawing.byKey.get(at)?.[next] ?? []));
      ring = [...seen].filter((at) => !found.has(at));
      for (const at of ring) found.add(at);
    }
  }
  return found;
}

/** The shortest way between two skills and every skill on any way, in the direction in which there is one. */
export function pathOf(
  drawing: GraphDrawing,
  a: string,
  b: string,
): { readonly keys: ReadonlySet<string>; readonly shortest: readonly string[] } | undefined {
  const indexOf = (key: string): number => drawing.skills.findIndex((drawn) => drawn.key === key);
  const ends = [indexOf(a), indexOf(b)] as const;
  if (ends.includes(-1)) return undefined;
  for (const [from, to] of [ends, [ends[1], ends[0]]] as const) {
    const path = pathBetween(drawing.graph, from, to);
    if (!path) continue;
    const keyAt = (node: number): string => drawing.skills[node]!.key;
    const below = new Set(downstream(drawing.graph, [from]));
    const between = upstream(drawing.graph, [to]).filter((node) => below.has(node));
    return { keys: new Set(between.map(keyAt)), shortest: path.map(keyAt) };
  }
  return undefined;
}
