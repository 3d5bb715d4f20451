import { labels } from './labels.ts';
import type { SkillGraph } from './skill-graph.ts';
import { waves, type Waves } from './waves.ts';

/** What every text export draws: skills in wave order with labels, and edges from dependency to dependent. */
export interface Drawing {
  readonly waves: Waves;
  readonly nodes: readonly { readonly node: number; readonly label: string; readonly isUnplaced: boolean }[];
  /** Positions in `nodes`, sorted. */
  readonly edges: readonly (readonly [from: number, to: number])[];
}

/** Prepares a graph for export; the result is the same for any order of declaration. */
export function draw(graph: SkillGraph): Drawing {
  const placed = waves(graph);
  const label = labels(graph);
  const order = [...placed.waves.flat(), ...placed.unplaced];
  const positionOf = new Int32Array(graph.size);
  order.forEach((node, position) => (positionOf[node] = position));
  const edges = order.flatMap((node, to) =>
    Array.from(
      graph.dependencies.subarray(graph.dependencyStart[node], graph.dependencyStart[node + 1]),
      (dependency) => positionOf[dependency]!,
    )
      .sort((a, b) => a - b)
      .map((from): [number, number] => [from, to]),
  );
  const nodes = order.map((node) => ({ node, label: label[node]!, isUnplaced: placed.waveOf[node]! < 0 }));
  return { waves: placed, nodes, edges };
}
