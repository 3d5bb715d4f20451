import { compareText } from './compare-text.ts';
import type { SkillGraph } from './skill-graph.ts';
import { placeInWaves } from './waves.ts';

/** The chain that decides how long a run takes when nothing else holds it up. */
export interface CriticalPath {
  readonly path: readonly number[];
  readonly durationMs: number;
}

/** The longest chain by the duration of each skill; skills in or behind a cycle never run and do not count. */
export function criticalPath(graph: SkillGraph, durationsMs: ArrayLike<number>): CriticalPath {
  const finishMs = new Float64Array(graph.size);
  const previous = new Int32Array(graph.size).fill(-1);
  let last = -1;
  for (const node of placeInWaves(graph).placed) {
    for (let k = graph.dependencyStart[node]!; k < graph.dependencyStart[node + 1]!; k++) {
      const dependency = graph.dependencies[k]!;
      if (isLater(dependency, previous[node]!)) previous[node] = dependency;
    }
    const startMs = previous[node]! < 0 ? 0 : finishMs[previous[node]!]!;
    finishMs[node] = startMs + durationsMs[node]!;
    if (isLater(node, last)) last = node;
  }
  const path: number[] = [];
  for (let node = last; node >= 0; node = previous[node]!) path.push(node);
  return { path: path.reverse(), durationMs: last < 0 ? 0 : finishMs[last]! };

  function isLater(node: number, than: number): boolean {
    if (than < 0) return true;
    const differenceMs = finishMs[node]! - finishMs[than]!;
    return differenceMs > 0 || (differenceMs === 0 && compareText(graph.ids[node]!, graph.ids[than]!) < 0);
  }
}
