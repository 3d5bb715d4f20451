import fc from 'fast-check';
import { expect, test } from 'vitest';
import { buildGraph, byName } from './skill-graph.ts';
import { sortByName } from './sort-by-name.ts';

test('sortByName() sorts as comparing names, then ids, would', () => {
  const piece = fc.constantFrom(
    '',
    'a',
    'b',
    '-',
    'check',
    'check-links',
    '\u00fd',
    '\u00fe',
    '\u00ff',
    'Ā',
    '語',
    '\ud83d\ude00',
    '\0',
  );
  const name = fc
    .array(fc.oneof(piece, fc.constantFrom('é', 'Ā', '語')), { maxLength: 4 })
    .map((pieces) => pieces.join(''));
  fc.assert(
    fc.property(fc.array(name, { minLength: 100, maxLength: 300 }), fc.boolean(), (names, isReversed) => {
      const graph = buildGraph(
        names.map((text, i) => {
          const id = String(isReversed ? names.length - i : i);
          return { id, name: text, dependsOn: [], produces: [], requires: [] };
        }),
      );
      const skills = Int32Array.from(names, (_, i) => i);
      const expected = [...skills].sort(byName(graph));
      sortByName(graph, skills);
      expect([...skills]).toEqual(expected);
    }),
    { numRuns: 100 },
  );
});
