import fc from 'fast-check';
import { expect, test } from 'vitest';
import { labels } from './labels.ts';
import { buildGraph } from './skill-graph.ts';

function labelsOf(skills: readonly { id: string; name: string }[]): string[] {
  return labels(buildGraph(skills.map((skill) => ({ ...skill, dependsOn: [], produces: [], requires: [] }))));
}

test('labels() uses the id for all skills that share a name', () => {
  const skills = [
    { id: 'one:lint', name: 'lint' },
    { id: 'two:lint', name: 'lint' },
    { id: 'one:read', name: 'read' },
  ];
  expect(labelsOf(skills)).toEqual(['one:lint', 'two:lint', 'read']);
});

test('labels() are unique even where a name is another skill’s id', () => {
  const text = fc.constantFrom('a', 'b', 'c', 'd', 'e');
  const skills = fc.uniqueArray(fc.record({ id: text, name: text }), { selector: ({ id }) => id });
  fc.assert(
    fc.property(skills, (list) => {
      expect(new Set(labelsOf(list)).size).toBe(list.length);
    }),
  );
});
