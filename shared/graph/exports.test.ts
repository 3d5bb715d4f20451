import fc from 'fast-check';
import { expect, test } from 'vitest';
import { GraphDocument } from '../model/graph-document.ts';
import { buildGraph, type GraphNode, type SkillGraph } from './skill-graph.ts';
import { toDot } from './to-dot.ts';
import { toJson } from './to-json.ts';
import { toMermaid } from './to-mermaid.ts';
import { toSvg } from './to-svg.ts';

function skill(id: string, dependsOn: string[] = [], name = id.split(':').at(-1)!): GraphNode {
  return { id, name, dependsOn, produces: [], requires: [] };
}

const graph = buildGraph([
  skill('own:report', ['own:check-links', 'own:read']),
  skill('own:check-links', ['own:read']),
  skill('own:read'),
  skill('own:loop', ['own:loop']),
]);

test('toMermaid() draws one node per skill in wave order', () => {
  expect(toMermaid(graph)).toBe(
    [
      'flowchart LR',
      '  s0["read"]',
      '  s1["check-links"]',
      '  s2["report"]',
      '  s3["loop"]:::unplaced',
      '  s0 --> s1',
      '  s0 --> s2',
      '  s1 --> s2',
      '  s3 --> s3',
      '  classDef unplaced stroke-dasharray:4 4',
      '',
    ].join('\n'),
  );
});

test('toDot() draws one node per skill in wave order', () => {
  expect(toDot(graph, 'My "lens"')).toBe(
    [
      'digraph "My \\"lens\\"" {',
      '  rankdir=LR;',
      '  node [shape=box, style=rounded];',
      '  s0 [label="read"];',
      '  s1 [label="check-links"];',
      '  s2 [label="report"];',
      '  s3 [label="loop", style="rounded,dashed"];',
      '  s0 -> s1;',
      '  s0 -> s2;',
      '  s1 -> s2;',
      '  s3 -> s3;',
      '}',
      '',
    ].join('\n'),
  );
});

test('exports escape a hostile name', () => {
  const hostile = buildGraph([skill('x', [], '- 1. `"]; <b>&\\N\n\ud800#35;')]);
  expect(toMermaid(hostile)).toBe(
    'flowchart LR\n  s0["#45; 1#46; #96;#34;#93;#59; #60;b#62;#38;#92;N#65533;#65533;#35;35#59;"]\n',
  );
  expect(toDot(hostile, 'x')).toContain('s0 [label="- 1. `\\"]; <b>&amp;\\\\N\ufffd\ufffd#35;"];');
  expect(toSvg(hostile, '<script>')).toContain('<title>&#60;script&#62;</title>');
  expect(toSvg(hostile, 'x')).toContain('>- 1. `&#34;]; &#60;b&#62;&#38;\\N\ufffd\ufffd#35;</text>');
});

const ownTags = new Set(['svg', 'title', 'style', 'defs', 'marker', 'path', 'rect', 'text', 'g']);

test('toSvg() holds each skill once and only its own markup, whatever the names', () => {
  const names = fc.array(fc.string({ unit: 'binary', maxLength: 30 }), { maxLength: 6 });
  fc.assert(
    fc.property(names, (list) => {
      const svg = toSvg(
        buildGraph(list.map((name, i) => skill(`${i}`, i > 0 ? [`${i - 1}`] : [], name))),
        list[0] ?? '',
      );
      expect(svg.match(/<g class="skill"/g)?.length ?? 0).toBe(list.length);
      const tags = new Set(Array.from(svg.matchAll(/<\/?([^\s/>]*)/g), (match) => match[1]));
      expect([...tags].filter((tag) => !ownTags.has(tag!))).toEqual([]);
      expect(svg).not.toMatch(/[\0-\x09\x0b-\x1f]|\p{Cs}/u);
    }),
  );
});

function documentOf(source: SkillGraph): GraphDocument {
  return toJson(source, {
    lensName: 'My lens',
    contentHash: 'abc',
    diagnostics: [],
    skillOf: (node) => ({
      id: source.ids[node]!,
      name: source.names[node]!,
      dependsOn: [],
      produces: [],
      requires: [],
      trust: 'sandboxed',
    }),
    durationsMs: source.ids.map((id) => (id === 'own:report' ? undefined : id.length)),
  });
}

test('toJson() keys skills by name, and by id where a name is shared', () => {
  const shared = buildGraph([
    skill('own:report', ['own:lint', 'team:lint']),
    skill('team:lint'),
    skill('own:lint'),
  ]);
  const entry = (id: string, name: string) => ({
    id,
    name,
    dependsOn: [],
    produces: [],
    requires: [],
    trust: 'sandboxed',
  });
  const document = documentOf(shared);
  expect(document).toEqual({
    lensName: 'My lens',
    skills: {
      'own:lint': entry('own:lint', 'lint'),
      'team:lint': entry('team:lint', 'lint'),
      report: entry('own:report', 'report'),
    },
    waves: [
      { waveIndex: 0, skills: ['own:lint', 'team:lint'], estimatedDurationMs: 9 },
      { waveIndex: 1, skills: ['report'] },
    ],
    unplaced: [],
    contentHash: 'abc',
    diagnostics: [],
  });
  expect(GraphDocument.parse(JSON.parse(JSON.stringify(document)))).toEqual(document);
});

test('toJson() lists skills in or behind a cycle as unplaced and still describes them', () => {
  const document = documentOf(graph);
  expect([document.unplaced, Object.keys(document.skills)]).toEqual([
    ['loop'],
    ['read', 'check-links', 'report', 'loop'],
  ]);
});
