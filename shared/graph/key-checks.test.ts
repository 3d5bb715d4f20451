import fc from 'fast-check';
import { expect, test } from 'vitest';
import { checkKeys, findOrphans, listLimit, type GraphFinding } from './key-checks.ts';
import { buildGraph, type GraphNode } from './skill-graph.ts';

interface Keys {
  readonly produces?: string[];
  readonly requires?: string[];
}

function skill(id: string, dependsOn: string[], { produces = [], requires = [] }: Keys = {}): GraphNode {
  return { id, name: id, dependsOn, produces, requires };
}

test('checkKeys() names what upstream produces when a required key is not among it', () => {
  const graph = buildGraph([
    skill('read', [], { produces: ['text', 'meta'] }),
    skill('split', ['read'], { produces: ['parts'], requires: ['text', 'topic'] }),
    skill('beside', [], { produces: ['tone'] }),
    skill('write', ['split'], { requires: ['tone', 'parts', 'meta'] }),
  ]);
  expect(checkKeys(graph, new Set(['topic']))).toEqual([
    {
      kind: 'unsatisfied-requires',
      node: 3,
      key: 'tone',
      available: ['meta', 'parts', 'text'],
      hasMoreAvailable: false,
    },
    { kind: 'unused-produces', node: 2, key: 'tone' },
  ]);
});

test('checkKeys() reports several producers of one key in reach, but not one producer reached twice', () => {
  const graph = buildGraph([
    skill('a', [], { produces: ['k', 'once'] }),
    skill('b', ['a'], { produces: ['k'] }),
    skill('c', ['a']),
    skill('d', ['b', 'c'], { requires: ['k', 'once'] }),
    skill('e', ['c'], { requires: ['k'] }),
  ]);
  expect(checkKeys(graph, new Set())).toEqual([
    { kind: 'several-producers', node: 3, key: 'k', producers: [0, 1], producerCount: 2 },
  ]);
});

test('checkKeys() lists only the first of very many producers and keys', () => {
  const many = Array.from({ length: 3000 }, (_, i) => skill(`p${i}`, [], { produces: ['k', `own-${i}`] }));
  const graph = buildGraph([
    ...many,
    skill(
      'end',
      many.map(({ id }) => id),
      { requires: ['k', 'gone'] },
    ),
  ]);
  const findings = checkKeys(graph, new Set()).filter(({ kind }) => kind !== 'unused-produces');
  expect(findings).toEqual([
    {
      kind: 'several-producers',
      node: 3000,
      key: 'k',
      producers: Array.from({ length: listLimit }, (_, i) => i),
      producerCount: 3000,
    },
    {
      kind: 'unsatisfied-requires',
      node: 3000,
      key: 'gone',
      available: ['k', ...many.map((_, i) => `own-${i}`).sort()].slice(0, listLimit),
      hasMoreAvailable: true,
    },
  ]);
});

test('findOrphans() finds skills without any edge, unless it is the only skill or has a missing dependency', () => {
  const orphans = (nodes: readonly GraphNode[]) => findOrphans(buildGraph(nodes));
  expect(orphans([skill('only', [])])).toEqual([]);
  expect(
    orphans([skill('a', ['b']), skill('b', []), skill('c', []), skill('d', ['gone']), skill('e', ['e'])]),
  ).toEqual([{ kind: 'orphan', node: 2 }]);
});

const keyNames = ['k', 'l', 'm'];
const keys = fc.subarray(keyNames);
const smallNodes = fc
  .array(fc.record({ mask: fc.nat({ max: 255 }), produces: keys, requires: keys }), { maxLength: 8 })
  .map((list) =>
    list.map(({ mask, produces, requires }, i): GraphNode => {
      const dependsOn = list.flatMap((_, j) => (mask & (1 << j) ? [`${j}`] : []));
      return { id: `${i}`, name: `${i}`, dependsOn, produces, requires };
    }),
  );

test('checkKeys() agrees with the definition on small graphs, cycles included', () => {
  fc.assert(
    fc.property(smallNodes, keys, (nodes, inputs) => {
      expect(checkKeys(buildGraph(nodes), new Set(inputs))).toEqual(
        findingsByDefinition(nodes, new Set(inputs)),
      );
    }),
    { numRuns: 3000 },
  );
});

function findingsByDefinition(nodes: readonly GraphNode[], inputs: ReadonlySet<string>): GraphFinding[] {
  const upstream = nodes.map((node) => {
    const found = new Set<number>();
    const pending = node.dependsOn.map(Number);
    for (const next of pending) {
      if (found.has(next)) continue;
      found.add(next);
      pending.push(...nodes[next]!.dependsOn.map(Number));
    }
    return [...found].sort((a, b) => a - b);
  });
  const findings: GraphFinding[] = [];
  nodes.forEach(({ requires }, node) => {
    for (const key of requires) {
      const producers = upstream[node]!.filter((other) => nodes[other]!.produces.includes(key));
      if (producers.length > 1) {
        findings.push({ kind: 'several-producers', node, key, producers, producerCount: producers.length });
      } else if (producers.length === 0 && !inputs.has(key)) {
        const available = [...new Set(upstream[node]!.flatMap((other) => nodes[other]!.produces))].sort();
        findings.push({ kind: 'unsatisfied-requires', node, key, available, hasMoreAvailable: false });
      }
    }
  });
  nodes.forEach(({ produces }, node) => {
    for (const key of produces) {
      const isUsed = nodes.some((other, i) => upstream[i]!.includes(node) && other.requires.includes(key));
      if (!isUsed) findings.push({ kind: 'unused-produces', node, key });
    }
  });
  return findings;
}
