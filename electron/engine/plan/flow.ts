import { compareText } from '#shared/graph/compare-text.ts';
import { components } from '#shared/graph/components.ts';
import { labels } from '#shared/graph/labels.ts';
import { reachableProducers } from '#shared/graph/reachable-producers.ts';
import type { SkillGraph } from '#shared/graph/skill-graph.ts';
import { waves } from '#shared/graph/waves.ts';

/** How a graph runs: its order, its waves, and who delivers the keys that a skill requires. */
export interface Flow {
  readonly labels: readonly string[];
  /** Wave of each skill, -1 in or behind a cycle. */
  readonly waveOf: Int32Array;
  /** By wave, then name, then id; skills without a wave come last. */
  readonly order: readonly number[];
  /** The keys that each skill requires, each once, in their order. */
  readonly requires: readonly (readonly string[])[];
  /** For each skill: required key → the skill upstream that delivers it. A key that nobody upstream produces is not in it. */
  readonly producers: readonly ReadonlyMap<string, number>[];
}

const flows = new WeakMap<SkillGraph, Flow>();

/** A key with more producers than this in reach is taken from one of the first: a warning has said that it is unclear. */
const producersCompared = 256;

/** Worked out once for a graph, because every plan of a lens that did not change needs the same. */
export function flowOf(graph: SkillGraph): Flow {
  let flow = flows.get(graph);
  if (!flow) {
    flow = makeFlow(graph);
    flows.set(graph, flow);
  }
  return flow;
}

function makeFlow(graph: SkillGraph): Flow {
  const placed = waves(graph);
  const order = [...placed.waves.flat(), ...placed.unplaced];
  const position = new Int32Array(graph.size);
  order.forEach((node, i) => (position[node] = i));
  const producers = Array.from({ length: graph.size }, () => new Map<string, number>());
  const { requirements } = reachableProducers(graph, components(graph), producersCompared);
  for (const { node, key, producers: found } of requirements) {
    const others = found.filter((producer) => producer !== node);
    if (others.length === 0) continue;
    // Of several the last to run, so that a skill which improves what another one delivered is heard.
    producers[node]!.set(
      key,
      others.reduce((last, next) => (position[next]! > position[last]! ? next : last)),
    );
  }
  const requires = graph.nodes.map((node) => [...new Set(node.requires)].sort(compareText));
  return { labels: labels(graph), waveOf: placed.waveOf, order, requires, producers };
}
