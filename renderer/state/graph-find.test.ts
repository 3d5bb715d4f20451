import { describe, expect, it } from 'vitest';
import { drawGraph } from './graph-drawing.ts';
import { declarationOf, findable } from './graph-find.ts';
import { resolvedGraph, testFile } from './testing/resolved-graph.ts';

const text = [
  'skills:',
  '  - name: read',
  '    instructions: Open every Chart',
  '  - name: read-all',
  '    depends_on:',
  '      - read-all-of-it',
  "      - 'read'",
].join('\n');
const place = (line: number, endLine: number) => ({
  ...{ file: testFile, line, endLine, column: 5, endColumn: 1 },
});
const drawing = drawGraph(
  resolvedGraph([
    { name: 'read', produces: ['charts_list'], origin: place(2, 4) },
    { name: 'read-all', dependsOn: ['read'], description: 'Reads them', origin: place(4, 8) },
  ]),
);

describe('findable()', () => {
  it('finds in names, descriptions, keys and the text of a skill, and says where first', () => {
    const find = findable(drawing, new Map([[testFile, text]]));
    expect(['READ', 'reads them', 'charts_', 'every chart', 'nowhere', ' '].map(find)).toEqual([
      [
        { key: 'read', where: 'name' },
        { key: 'read-all', where: 'name' },
      ],
      [{ key: 'read-all', where: 'description' }],
      [{ key: 'read', where: 'key' }],
      [{ key: 'read', where: 'text' }],
      [],
      [],
    ]);
  });
});

describe('declarationOf()', () => {
  const [from, to] = [drawing.byKey.get('read')!, drawing.byKey.get('read-all')!];

  it('is the entry of depends_on, not a longer name before it', () => {
    expect(declarationOf(text, to, from)).toEqual({
      ...{ file: testFile, line: 7, column: 10, endLine: 7, endColumn: 14 },
    });
  });

  it('is the start of the skill where the text does not say', () => {
    expect(declarationOf(text, from, to)).toEqual({ ...place(2, 2), endColumn: 5 });
  });
});
