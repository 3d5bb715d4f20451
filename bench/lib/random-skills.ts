import type { GraphNode } from '#shared/graph/skill-graph.ts';

/** Skills with about three earlier skills to depend on each, declared in no particular order; the same every time. */
export function randomSkills(count: number, window = count): GraphNode[] {
  const random = generator(count);
  const nameOf = (i: number) =>
    `${verbs[i % verbs.length]}-${nouns[(i * 7) % nouns.length]}-${(i * 7919) % count}`;
  const nodes = Array.from({ length: count }, (_, i): GraphNode => {
    const from = Math.max(0, i - window);
    const dependsOn =
      i === 0 ? [] : Array.from({ length: 3 }, () => idOf(from + Math.floor(random() * (i - from))));
    return { id: idOf(i), name: nameOf(i), dependsOn, produces: [`key-${i}`], requires: [] };
  });
  for (let i = count - 1; i > 0; i--) {
    const j = Math.floor(random() * (i + 1));
    [nodes[i], nodes[j]] = [nodes[j]!, nodes[i]!];
  }
  return nodes;

  function idOf(i: number): string {
    return `./skills/library-${i % 40}.skills.yaml:${nameOf(i)}`;
  }
}

const verbs = ['audit', 'draft', 'check', 'extract', 'summarise', 'compare', 'lint', 'outline'];
const nouns = [
  'documentation',
  'changelog',
  'links',
  'api',
  'terms',
  'examples',
  'claims',
  'headings',
  'tables',
];

/** A small seeded generator of numbers in [0, 1). */
function generator(seed: number): () => number {
  let state = seed;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 32;
  };
}
