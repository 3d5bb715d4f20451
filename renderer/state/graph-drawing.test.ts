import { describe, expect, it } from 'vitest';
import type { Diagnostic } from '#shared/model/diagnostic.ts';
import { flowingKeys, requiredKeys } from './context-keys.ts';
import { drawGraph } from './graph-drawing.ts';
import { placeAt, resolvedGraph } from './testing/resolved-graph.ts';

describe('drawGraph()', () => {
  it('puts each skill into its wave with its neighbours', () => {
    const drawing = drawGraph(
      resolvedGraph([{ name: 'b', dependsOn: ['a'] }, { name: 'a' }, { name: 'c', dependsOn: ['a'] }]),
    );
    expect(drawing.waves).toEqual([
      { title: 'Wave 1', count: 1, estimatedMs: undefined },
      { title: 'Wave 2', count: 2, estimatedMs: undefined },
    ]);
    expect(drawing.byKey.get('b')).toMatchObject({ column: 1, dependsOn: ['a'], neededBy: [] });
    expect(drawing.byKey.get('a')).toMatchObject({ column: 0, neededBy: ['b', 'c'] });
  });

  it('draws skills of a cycle in a column of their own', () => {
    const { waves, byKey } = drawGraph(
      resolvedGraph([{ name: 'a', dependsOn: ['b'] }, { name: 'b', dependsOn: ['a'] }, { name: 'c' }]),
    );
    expect([
      waves.map(({ title }) => title),
      ...['a', 'b', 'c'].map((key) => byKey.get(key)?.column),
    ]).toEqual([['Wave 1', 'In a cycle'], 1, 1, 0]);
  });

  it('calls two skills of one name by their ids', () => {
    const other = placeAt(1, 'b.skills.yaml');
    const { skills } = drawGraph(resolvedGraph([{ name: 'a' }, { name: 'a', origin: other }]));
    expect(skills.map(({ key }) => key).sort()).toEqual(['a.lens:a', 'b.skills.yaml:a']);
  });

  it('marks the skill that a problem points into, but not for a hint', () => {
    const problem = (severity: Diagnostic['severity'], line: number, file?: string): Diagnostic => ({
      ...{ code: 'x', severity, message: `${severity} ${line}`, location: placeAt(line, file) },
    });
    const { skills } = drawGraph(
      resolvedGraph(
        [{ name: 'a' }, { name: 'b' }],
        [problem('error', 1), problem('warning', 2), problem('info', 2), problem('error', 2, 'b.lens')],
      ),
    );
    expect(
      skills.map(({ key, problems }) => [key, problems.errors.length, problems.warnings.length]),
    ).toEqual([
      ['a', 1, 0],
      ['b', 0, 1],
    ]);
  });

  it('draws nothing of nothing', () => {
    expect(drawGraph(resolvedGraph([]))).toMatchObject({ skills: [], waves: [] });
  });
});

describe('requiredKeys()', () => {
  it('finds producers upstream, however far, and none elsewhere', () => {
    const drawing = drawGraph(
      resolvedGraph([
        { name: 'a', produces: ['x'] },
        { name: 'b', dependsOn: ['a'] },
        { name: 'c', dependsOn: ['b'], requires: ['x', 'y'] },
        { name: 'd', produces: ['x', 'y'] },
      ]),
    );
    expect(requiredKeys(drawing, drawing.byKey.get('c')!)).toEqual([
      { key: 'x', producers: ['a'] },
      { key: 'y', producers: [] },
    ]);
  });
});

describe('flowingKeys()', () => {
  it('is what one delivers and the other reads', () => {
    const drawing = drawGraph(
      resolvedGraph([
        { name: 'a', produces: ['x', 'y'] },
        { name: 'b', dependsOn: ['a'], requires: ['y', 'z'] },
      ]),
    );
    expect(flowingKeys(drawing.byKey.get('a')!, drawing.byKey.get('b')!)).toEqual(['y']);
  });
});
