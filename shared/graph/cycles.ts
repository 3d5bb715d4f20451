import { compareText } from './compare-text.ts';
import { cyclicComponents } from './components.ts';
import { labels } from './labels.ts';
import type { SkillGraph } from './skill-graph.ts';

/**
 * A closed path along dependencies: each skill depends on the next, and the last on the first, which is
 * not repeated. The first is the one with the smallest id.
 */
export type Cycle = readonly number[];

/** The shortest cycle of the whole graph; among equals the first by the ids along it. */
export function shortestCycle(graph: SkillGraph): Cycle | undefined {
  return cyclesByComponent(graph).reduce<Cycle | undefined>(
    (best, cycle) => (best === undefined || cycle.length < best.length ? cycle : best),
    undefined,
  );
}

/** A shortest cycle of every strongly connected component, by first id: breaking these shows what is left. */
export function cyclesByComponent(graph: SkillGraph): Cycle[] {
  return cyclicComponents(graph)
    .map((members) => shortestCycleWithin(graph, members))
    .sort((a, b) => compareText(graph.ids[a[0]!]!, graph.ids[b[0]!]!));
}

/** `a → b → a`, with each skill's label. */
export function cycleText(graph: SkillGraph, cycle: Cycle): string {
  const label = labels(graph);
  return [...cycle, cycle[0]!].map((node) => label[node]!).join(' → ');
}

/**
 * Searches breadth-first from each member in id order. A member that was searched from is removed, and so
 * is what then lies on no cycle: without that, one long ring would cost the square of its length.
 */
function shortestCycleWithin(graph: SkillGraph, members: readonly number[]): number[] {
  const local = localGraph(graph, members);
  const removed = new Uint8Array(local.size);
  const parent = new Int32Array(local.size);
  const depth = new Int32Array(local.size);
  const queue = new Int32Array(local.size);
  const searchedFrom = new Int32Array(local.size).fill(-1);
  let best: number[] | undefined;

  for (let start = 0; start < local.size; start++) {
    if (removed[start]) continue;
    const last = lastBefore(start, best?.length ?? Infinity);
    if (last >= 0) {
      best = [];
      for (let node = last; node !== start; node = parent[node]!) best.push(node);
      best.push(start);
      best.reverse();
    }
    remove(local, removed, start);
  }
  return best!.map((node) => local.members[node]!);

  /** The skill that closes a cycle through `start` shorter than `limit`, or -1. */
  function lastBefore(start: number, limit: number): number {
    searchedFrom[start] = start;
    depth[start] = 0;
    queue[0] = start;
    for (let head = 0, tail = 1; head < tail; head++) {
      const node = queue[head]!;
      const length = depth[node]! + 1;
      if (length >= limit) return -1;
      for (let k = local.targetStart[node]!; k < local.targetStart[node + 1]!; k++) {
        const target = local.targets[k]!;
        if (target === start) return node;
        if (removed[target] || searchedFrom[target] === start) continue;
        searchedFrom[target] = start;
        depth[target] = length;
        parent[target] = node;
        queue[tail++] = target;
      }
    }
    return -1;
  }
}

/** One component renumbered in id order, with both directions sorted, so that searches meet ids in order. */
interface LocalGraph {
  readonly size: number;
  readonly members: readonly number[];
  readonly targetStart: Int32Array;
  readonly targets: Int32Array;
  readonly sourceStart: Int32Array;
  readonly sources: Int32Array;
  readonly targetCount: Int32Array;
  readonly sourceCount: Int32Array;
}

function localGraph(graph: SkillGraph, unsorted: readonly number[]): LocalGraph {
  const members = unsorted.toSorted((a, b) => compareText(graph.ids[a]!, graph.ids[b]!));
  const localOf = new Map(members.map((node, i) => [node, i]));
  const size = members.length;
  const out: number[][] = Array.from({ length: size }, () => []);
  const back: number[][] = Array.from({ length: size }, () => []);
  for (let source = 0; source < size; source++) {
    const node = members[source]!;
    for (let k = graph.dependencyStart[node]!; k < graph.dependencyStart[node + 1]!; k++) {
      const target = localOf.get(graph.dependencies[k]!);
      if (target !== undefined) back[target]!.push(source);
    }
  }
  for (let target = 0; target < size; target++) for (const source of back[target]!) out[source]!.push(target);
  const [targetStart, targets] = pack(out);
  const [sourceStart, sources] = pack(back);
  return {
    size,
    members,
    targetStart,
    targets,
    sourceStart,
    sources,
    targetCount: Int32Array.from(out, (list) => list.length),
    sourceCount: Int32Array.from(back, (list) => list.length),
  };
}

function pack(lists: readonly (readonly number[])[]): [starts: Int32Array, items: Int32Array] {
  const starts = new Int32Array(lists.length + 1);
  lists.forEach((list, i) => (starts[i + 1] = starts[i]! + list.length));
  return [starts, Int32Array.from(lists.flat())];
}

/** Takes a skill out, and every skill that has then no way in or no way out. */
function remove(local: LocalGraph, removed: Uint8Array, start: number): void {
  const pending = [start];
  removed[start] = 1;
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    for (let k = local.targetStart[node]!; k < local.targetStart[node + 1]!; k++) {
      const target = local.targets[k]!;
      if (--local.sourceCount[target]! === 0 && !removed[target]) {
        removed[target] = 1;
        pending.push(target);
      }
    }
    for (let k = local.sourceStart[node]!; k < local.sourceStart[node + 1]!; k++) {
      const source = local.sources[k]!;
      if (--local.targetCount[source]! === 0 && !removed[source]) {
        removed[source] = 1;
        pending.push(source);
      }
    }
  }
}
