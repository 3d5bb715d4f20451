import { byName, type SkillGraph } from './skill-graph.ts';
import { sortByText } from './sort-by-text.ts';

/** Skills grouped by the wave they can run in; every skill is in exactly one of `waves` and `unplaced`. */
export interface Waves {
  /** Each wave by name, then id. A skill's wave is one after the last wave of its dependencies. */
  readonly waves: readonly (readonly number[])[];
  /** Skills in a cycle or behind one, by name, then id: they have no wave. */
  readonly unplaced: readonly number[];
  /** Wave of each skill, -1 where it has none. */
  readonly waveOf: Int32Array;
}

/** Groups skills into waves, the same for any order of declaration. */
export function waves(graph: SkillGraph): Waves {
  const { placed, waveOf } = placeInWaves(graph);
  const order = { texts: graph.names, compare: byName(graph) };
  const groups: number[][] = [];
  for (let start = 0, end = 0; start < placed.length; start = end) {
    const wave = waveOf[placed[start]!]!;
    while (end < placed.length && waveOf[placed[end]!] === wave) end++;
    const group = placed.subarray(start, end);
    sortByText(group, order);
    groups.push(Array.from(group));
  }
  const unplaced: number[] = [];
  if (placed.length < graph.size) waveOf.forEach((wave, i) => wave < 0 && unplaced.push(i));
  return { waves: groups, unplaced: unplaced.sort(order.compare), waveOf };
}

/** Skills with a wave in an order that has dependencies first, and the wave of each (-1 in or behind a cycle). */
export function placeInWaves(graph: SkillGraph): { placed: Int32Array; waveOf: Int32Array } {
  const { size, dependencyStart, dependentStart, dependents } = graph;
  const waiting = new Int32Array(size);
  const waveOf = new Int32Array(size).fill(-1);
  const queue = new Int32Array(size);
  let tail = 0;
  for (let i = 0; i < size; i++) {
    waiting[i] = dependencyStart[i + 1]! - dependencyStart[i]!;
    if (waiting[i] === 0) {
      waveOf[i] = 0;
      queue[tail++] = i;
    }
  }
  // The queue is in rising wave order, so the dependency that frees a skill is one of its last wave.
  for (let head = 0; head < tail; head++) {
    const from = queue[head]!;
    const wave = waveOf[from]! + 1;
    const end = dependentStart[from + 1]!;
    for (let k = dependentStart[from]!; k < end; k++) {
      const dependent = dependents[k]!;
      if (--waiting[dependent]! === 0) {
        waveOf[dependent] = wave;
        queue[tail++] = dependent;
      }
    }
  }
  return { placed: queue.subarray(0, tail), waveOf };
}
