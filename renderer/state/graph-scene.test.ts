import { describe, expect, it } from 'vitest';
import { drawGraph } from './graph-drawing.ts';
import { answerLayout, layoutRequest, rememberHeights } from './graph-layout.ts';
import { lineage, pathOf } from './graph-lineage.ts';
import { buildScene, librariesOf } from './graph-scene.ts';
import type { SceneOptions } from './graph-scene.ts';
import { placeAt, resolvedGraph, testFile } from './testing/resolved-graph.ts';
import type { SkillSketch } from './testing/resolved-graph.ts';

const all: SceneOptions = {
  ...{ file: testFile, lens: undefined, layer: 'skills', collapsed: new Set(), only: undefined },
};
const team = 'team.skills.yaml';
const skills: SkillSketch[] = [
  { name: 'read' },
  { name: 'lint', dependsOn: ['read'], origin: placeAt(1, team) },
  { name: 'spell', dependsOn: ['read'], origin: placeAt(2, team) },
  { name: 'write', dependsOn: ['read'] },
  { name: 'publish', dependsOn: ['lint', 'spell', 'write'] },
];
const drawing = drawGraph(resolvedGraph(skills));

function edgesOf(options: SceneOptions, of = drawing): string[] {
  const scene = buildScene(of, options);
  return scene.items.flatMap(({ title }, i) =>
    Array.from(
      scene.dependencies.subarray(scene.dependencyStart[i], scene.dependencyStart[i + 1]),
      (from) => `${scene.items[from]!.title} → ${title}`,
    ),
  );
}

describe('buildScene()', () => {
  it('draws a collapsed library as one box per wave, with the edges of its skills', () => {
    const scene = buildScene(drawing, { ...all, collapsed: new Set([team]) });
    expect(scene.items.map(({ title, column }) => [title, column])).toEqual([
      ['read', 0],
      ['write', 1],
      [team, 1],
      ['publish', 2],
    ]);
    expect(edgesOf({ ...all, collapsed: new Set([team]) })).toEqual([
      'read → write',
      `read → ${team}`,
      `${team} → publish`,
      'write → publish',
    ]);
    expect([...scene.itemOf]).toEqual([
      ['read', 0],
      ['write', 1],
      ['lint', 2],
      ['spell', 2],
      ['publish', 3],
    ]);
  });

  it('leaves out waves of which nothing is shown, and edges to what is not', () => {
    const scene = buildScene(drawing, { ...all, only: new Set(['read', 'publish']) });
    expect([scene.columns.map(({ title }) => title), [...scene.dependencies], scene.isWhole]).toEqual([
      ['Wave 1', 'Wave 3'],
      [],
      false,
    ]);
  });

  it('puts lenses and libraries before the waves, tied to the skills they begin with', () => {
    const options: SceneOptions = { ...all, layer: 'expertise' };
    const scene = buildScene(drawing, options);
    expect(scene.columns.map(({ title }) => title)).toEqual([
      'Builds on',
      'Lens',
      'Wave 1',
      'Wave 2',
      'Wave 3',
    ]);
    expect(edgesOf(options).filter((edge) => edge.includes('.'))).toEqual([
      `${team} → ${testFile}`,
      `${testFile} → read`,
      `${team} → lint`,
      `${team} → spell`,
    ]);
  });
});

describe('librariesOf()', () => {
  it('counts the skills of each, the largest first', () => {
    expect(librariesOf(drawing, testFile)).toEqual([
      { id: testFile, title: testFile, count: 3 },
      { id: team, title: team, count: 2 },
    ]);
  });
});

describe('layoutRequest()', () => {
  it('keeps the order within a wave when a skill is added', () => {
    const first = buildScene(drawing, all);
    const known = rememberHeights(first, answerLayout(layoutRequest(first, new Map())));
    const more = drawGraph(
      resolvedGraph([...skills.slice(0, 3), { name: 'aaa', dependsOn: ['read'] }, ...skills.slice(3)]),
    );
    const second = buildScene(more, all);
    const { heights } = answerLayout(layoutRequest(second, known));
    const order = (keys: readonly string[]): string[] =>
      [...keys].sort((a, b) => heights[second.indexOf.get(a)!]! - heights[second.indexOf.get(b)!]!);
    const before = ['lint', 'spell', 'write'].sort((a, b) => known.get(a)!.height - known.get(b)!.height);
    expect(order(['lint', 'spell', 'write'])).toEqual(before);
  });

  it('centres the columns on one line', () => {
    const scene = buildScene(drawing, all);
    const { heights, columnSizes } = answerLayout(layoutRequest(scene, new Map()));
    expect([heights[0], heights[4], [...columnSizes]]).toEqual([0, 0, [1, 3, 1]]);
    expect([...heights.subarray(1, 4)].sort((a, b) => a - b)).toEqual([-1, 0, 1]);
  });
});

describe('lineage()', () => {
  it('goes up and down as far as asked, and never down from what is up', () => {
    expect([...lineage(drawing, 'lint', 1)].sort()).toEqual(['lint', 'publish', 'read']);
    expect([...lineage(drawing, 'read', 1)].sort()).toEqual(['lint', 'read', 'spell', 'write']);
    expect(lineage(drawing, 'read', Infinity).size).toBe(5);
  });
});

describe('pathOf()', () => {
  it('finds the way in either direction with all that lies between', () => {
    const path = pathOf(drawing, 'publish', 'read');
    expect([path?.shortest, path?.keys.size]).toEqual([['read', 'write', 'publish'], 5]);
    expect(pathOf(drawing, 'lint', 'spell')).toBe(undefined);
  });
});
