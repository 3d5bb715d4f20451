import { expect, test } from 'vitest';
import type { LibrarySkill } from '#shared/model/library-skill.ts';
import { fittingSkills } from './fitting-skills.ts';
import type { Offer } from './fitting-skills.ts';
import { drawGraph } from './graph-drawing.ts';
import { searchSkills } from './library.svelte.ts';
import { placeAt, resolvedGraph } from './testing/resolved-graph.ts';

function librarySkill(name: string, more: Partial<LibrarySkill> = {}): LibrarySkill {
  return {
    ...{ library: 'sunwell/common', id: `sunwell/common:${name}`, name, triggers: [], source: 'builtin' },
    ...{ origin: placeAt(1, 'sunwell/common/common.skills.yaml'), trust: 'sandboxed', requires: [] },
    ...{ produces: [], languages: ['python'], hasInstructions: false },
    ...more,
  };
}

const drawing = drawGraph(
  resolvedGraph([
    { name: 'read', produces: ['pages'] },
    { name: 'list', requires: ['pages'], dependsOn: ['read'] },
    { name: 'guide', requires: ['pages'] },
    { name: 'other', requires: ['code'] },
    { name: 'plain' },
  ]),
);
const library = [
  librarySkill('count-pages', { requires: ['pages'], description: 'Counts how many there are' }),
  librarySkill('load-pages', { produces: ['pages'], triggers: ['open documents'] }),
  librarySkill('guide', { requires: ['pages'] }),
];

const names = (offers: readonly Offer[]): string[] =>
  offers.map((offer) =>
    offer.kind === 'graph'
      ? offer.key
      : offer.kind === 'library'
        ? `+${offer.skill.name}`
        : offer.keys.join(),
  );

function offersOf(key: string, side: 'in' | 'out'): string[] {
  const whyNot = ({ from, to }: { from: string; to: string }): string | undefined =>
    drawing.byKey.get(to)?.dependsOn.includes(from) ? 'already' : undefined;
  return names(fittingSkills({ drawing, drawn: drawing.byKey.get(key)!, side, library, whyNot }));
}

test('fittingSkills() offers behind an output what requires one of its keys, not what is tied or named already', () => {
  expect(offersOf('read', 'out')).toEqual(['guide', '+count-pages', 'pages']);
});

test('fittingSkills() offers before an input what produces one of its keys', () => {
  expect(offersOf('guide', 'in')).toEqual(['read', '+load-pages', 'pages']);
});

test('fittingSkills() offers every other skill where there are no keys to go by', () => {
  expect(offersOf('plain', 'out')).toEqual(['guide', 'other', 'read', 'list', '']);
});

test('searchSkills() finds by name, key, trigger and what a skill does, names first', () => {
  const found = (query: string): string[] => searchSkills(library, query).map(({ name }) => name);
  expect([found('load'), found('pages'), found('open documents'), found('how many'), found('zebra')]).toEqual(
    [['load-pages'], ['count-pages', 'load-pages', 'guide'], ['load-pages'], ['count-pages'], []],
  );
});
