import type { Components } from './components.ts';
import type { SkillGraph } from './skill-graph.ts';

/** One requirement of one skill, and who upstream of it produces the key. */
export interface Requirement {
  readonly node: number;
  readonly key: string;
  /** The first producers in reach, in declaration order, at most as many as asked for. */
  readonly producers: number[];
  producerCount: number;
}

/** What every requirement can reach, and which produced keys somebody downstream requires. */
export interface ProducerReach {
  readonly requirements: readonly Requirement[];
  /** Whether a skill downstream of `node` requires the `key` that it produces. */
  isUsed(node: number, key: string): boolean;
}

/** A (key, producer) pair is a slot; the slots of one key are neighbours. */
interface Slots {
  readonly producerOf: Int32Array;
  readonly rangeOf: ReadonlyMap<string, readonly [start: number, end: number]>;
  readonly ofNode: ReadonlyMap<number, readonly number[]>;
}

const wordsPerBlock = 32;

/**
 * Finds the producers upstream of every requirement. Slots are propagated along dependencies as bits, one
 * block at a time, because all at once they would take the square of the graph in memory.
 */
export function reachableProducers(
  graph: SkillGraph,
  { count, componentOf }: Components,
  listLimit: number,
): ProducerReach {
  const requirements = graph.nodes.flatMap((node, i) =>
    [...new Set(node.requires)].map((key): Requirement => ({
      node: i,
      key,
      producers: [],
      producerCount: 0,
    })),
  );
  const slots = assignSlots(graph, new Set(requirements.map(({ key }) => key)));
  const used = new Uint8Array(slots.producerOf.length);
  const open = requirements.filter((requirement) => !isMetDirectly(requirement));
  if (open.length === 0) return reachOf();
  const order = byComponent(graph.size, componentOf, count);
  const slotsPerBlock = wordsPerBlock * 32;

  for (let first = 0; first < slots.producerOf.length; first += slotsPerBlock) {
    const last = Math.min(first + slotsPerBlock, slots.producerOf.length);
    const reach = propagate(first, last);
    for (const requirement of open) {
      const [start, end] = slots.rangeOf.get(requirement.key)!;
      const base = componentOf[requirement.node]! * wordsPerBlock;
      let slot = Math.max(start, first);
      const stop = Math.min(end, last);
      while (slot < stop) {
        const bits = reach[base + ((slot - first) >>> 5)]! >>> ((slot - first) & 31);
        if (bits === 0) {
          slot += 32 - ((slot - first) & 31);
          continue;
        }
        slot += 31 - Math.clz32(bits & -bits);
        if (slot >= stop) break;
        used[slot] = 1;
        requirement.producerCount++;
        if (requirement.producers.length < listLimit) requirement.producers.push(slots.producerOf[slot]!);
        slot++;
      }
    }
  }

  return reachOf();

  function reachOf(): ProducerReach {
    return {
      requirements,
      isUsed(node, key) {
        const [start, end] = slots.rangeOf.get(key) ?? [0, 0];
        return (slots.ofNode.get(node) ?? []).some((slot) => slot >= start && slot < end && used[slot] === 1);
      },
    };
  }

  /** As nearly all are: the only producer of the key is a dependency of the skill itself, and nothing else need be looked at. */
  function isMetDirectly(requirement: Requirement): boolean {
    const { node, key, producers } = requirement;
    const [start, end] = slots.rangeOf.get(key)!;
    if (end - start !== 1) return false;
    const producer = slots.producerOf[start]!;
    const { dependencyStart, dependencies } = graph;
    let k = dependencyStart[node]!;
    const stop = dependencyStart[node + 1]!;
    while (k < stop && dependencies[k] !== producer) k++;
    if (k === stop) return false;
    used[start] = 1;
    requirement.producerCount = 1;
    if (producers.length < listLimit) producers.push(producer);
    return true;
  }

  /** The slots of this block that each component's skills can see; a cycle's skills see one another's. */
  function propagate(first: number, last: number): Int32Array {
    const own = new Int32Array(count * wordsPerBlock);
    const reach = new Int32Array(count * wordsPerBlock);
    for (let slot = first; slot < last; slot++) {
      const component = componentOf[slots.producerOf[slot]!]!;
      own[component * wordsPerBlock + ((slot - first) >>> 5)]! |= 1 << ((slot - first) & 31);
    }
    for (const node of order) {
      const to = componentOf[node]! * wordsPerBlock;
      for (let k = graph.dependencyStart[node]!; k < graph.dependencyStart[node + 1]!; k++) {
        const from = componentOf[graph.dependencies[k]!]! * wordsPerBlock;
        for (let w = 0; w < wordsPerBlock; w++) reach[to + w]! |= reach[from + w]! | own[from + w]!;
      }
    }
    return reach;
  }
}

function assignSlots(graph: SkillGraph, requiredKeys: ReadonlySet<string>): Slots {
  const producersOf = new Map<string, number[]>();
  for (const key of requiredKeys) producersOf.set(key, []);
  graph.nodes.forEach((node, i) => {
    for (const key of new Set(node.produces)) producersOf.get(key)?.push(i);
  });
  const producerOf: number[] = [];
  const rangeOf = new Map<string, [number, number]>();
  const ofNode = new Map<number, number[]>();
  for (const [key, producers] of producersOf) {
    rangeOf.set(key, [producerOf.length, producerOf.length + producers.length]);
    for (const producer of producers) {
      const slot = producerOf.push(producer) - 1;
      const own = ofNode.get(producer);
      if (own) own.push(slot);
      else ofNode.set(producer, [slot]);
    }
  }
  return { producerOf: Int32Array.from(producerOf), rangeOf, ofNode };
}

/** All skills with those of a component together, and a component after those it depends on. */
function byComponent(size: number, componentOf: Int32Array, count: number): Int32Array {
  const next = new Int32Array(count + 1);
  for (let i = 0; i < size; i++) next[componentOf[i]! + 1]!++;
  for (let c = 0; c < count; c++) next[c + 1]! += next[c]!;
  const order = new Int32Array(size);
  for (let i = 0; i < size; i++) order[next[componentOf[i]!]!++] = i;
  return order;
}
