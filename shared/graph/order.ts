import type { SkillGraph } from './skill-graph.ts';
import { waves } from './waves.ts';

/** The order a sequential run takes: wave, then name, then id. Skills in or behind a cycle are apart, never dropped. */
export function order(graph: SkillGraph): { order: number[]; unplaced: readonly number[] } {
  const placed = waves(graph);
  return { order: placed.waves.flat(), unplaced: placed.unplaced };
}
