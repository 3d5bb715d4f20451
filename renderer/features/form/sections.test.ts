import { describe, expect, it } from 'vitest';
import { openYaml } from '#shared/lens/yaml/open.ts';
import { lensKeys } from '#shared/model/file-keys.ts';
import { opaqueLensKeys } from '#shared/model/lens-terms.ts';
import { SkillEntry } from '#shared/model/skill-entry.ts';
import { inheritedItems, ownItems, placeForNew } from './items.ts';
import { keptKeys } from './kept-keys.ts';
import { lensSections, librarySections } from './sections.ts';
import type { ItemsContent } from './sections.ts';
import { fittingEditor, valueOf } from './values.ts';

const source = (text: string) => openYaml(text, 'a.lens').source;

function items(id: string): ItemsContent {
  const content = lensSections.find((section) => section.id === id)!.content;
  if (content.kind !== 'items') throw new Error(`"${id}" has no items`);
  return content;
}

const names = (text: string, id: string): string[] =>
  ownItems(source(text), [], items(id)).map(({ name }) => name);

describe('the sections of a lens', () => {
  it('have a field or items for every key that means something to the studio', () => {
    const shown = new Set(
      lensSections.flatMap(({ content }) => {
        if (content.kind === 'items') return content.places.map((place) => String(place[0]));
        if (content.kind === 'kept') return [];
        return content.path.length > 0 || content.kind === 'free'
          ? [String(content.path[0])]
          : content.fields.map(({ key }) => key);
      }),
    );
    const missing = lensKeys.lens.filter((key) => !shown.has(key) && !opaqueLensKeys.includes(key as never));
    // Another way to write "framework"; it is kept where a file has it.
    expect(missing).toEqual(['classification']);
  });

  it('have a field for every key of a skill, with the help of its schema', () => {
    const fields = items('skills').fields({ name: 'x' });
    const keys = Object.keys(SkillEntry.shape).filter((key) => key !== 'allowed-tools');
    expect(fields.map(({ key }) => key).sort()).toEqual(keys.sort());
    expect(fields.find(({ key }) => key === 'timeout')).toEqual({
      ...{ key: 'timeout', label: 'Time limit in seconds', help: 'Seconds each script may take (30)' },
      ...{ editor: { kind: 'number' }, isRequired: false },
    });
  });

  it('have the same fields for the skills of a library', () => {
    const skills = (sections: typeof lensSections) => sections.find(({ id }) => id === 'skills')?.content;
    expect(skills(librarySections)).toBe(skills(lensSections));
  });
});

describe('ownItems()', () => {
  it('finds items in every way in which they are written', () => {
    expect([
      names('heuristics:\n  - name: a\n', 'heuristics'),
      names('heuristics:\n  principles:\n    - name: a\n  anti_heuristics: [b, {name: c}]\n', 'heuristics'),
      names('heuristics:\n  anti_heuristics: [b, {name: c}]\n', 'anti_heuristics'),
      names('inputs: {x: {type: text}, y: }\n', 'inputs'),
      names('inputs: [x]\n', 'inputs'),
      names('workflows: {daily: [a, b]}\n', 'workflows'),
      names('skills: [{include: "a.yaml::b"}, {name: c}]\n', 'skills'),
    ]).toEqual([['a'], ['a'], ['b', 'c'], ['x', 'y'], ['x'], ['daily'], ['a.yaml::b', 'c']]);
  });

  it('tells the validators of one bare list apart by what they check', () => {
    const text = 'validators: [{name: a, contains: x}, {name: b, check: y}, {name: c}]\n';
    expect([names(text, 'deterministic'), names(text, 'heuristic')]).toEqual([['a', 'c'], ['b']]);
  });
});

describe('placeForNew()', () => {
  it('goes to where the others are, else to the usual place', () => {
    const place = (text: string, id: string) => placeForNew(source(text), [], items(id));
    expect([
      place('a: 1\n', 'deterministic'),
      place('validators: [{name: a}]\n', 'heuristic'),
      place('validators: {deterministic: []}\n', 'heuristic'),
      place('heuristics: {principles: [{name: a}]}\n', 'heuristics'),
      place('heuristics: {communication: {}}\n', 'heuristics'),
      place('heuristics: {principles: []}\n', 'anti_heuristics'),
    ]).toEqual([
      ['validators', 'deterministic'],
      ['validators'],
      ['validators', 'heuristic'],
      ['heuristics', 'principles'],
      ['heuristics', 'principles'],
      ['anti_heuristics'],
    ]);
  });
});

describe('inheritedItems()', () => {
  it('are those of other files whose names this lens does not write', () => {
    const at = (file: string) => ({ file, line: 1, column: 1, endLine: 1, endColumn: 2 });
    const skill = (name: string, file: string) => ({
      id: name,
      name,
      type: 'inline',
      source: 'own',
      origin: at(file),
    });
    const lens = {
      ...{ file: 'a.lens', metadata: {}, extends: [], heuristics: [], antiHeuristics: [], personas: [] },
      ...{ validators: { deterministic: [], heuristic: [] }, workflows: [], shortcuts: {}, inputs: [] },
      ...{ qualityPolicy: {}, skillRetry: {}, diagnostics: [] },
      skills: [skill('own', 'a.lens'), skill('of_library', 'b.skills.yaml'), skill('base', 'b.lens')],
    };
    const own = ownItems(
      source('skills: [{name: own}, {name: of-library, source: ./b}]\n'),
      [],
      items('skills'),
    );
    const section = lensSections.find(({ id }) => id === 'skills')!;
    expect(inheritedItems(lens, section, own).map(({ name }) => name)).toEqual(['base']);
  });
});

describe('fittingEditor()', () => {
  it('shows a value that the schema does not expect as what it is', () => {
    expect([
      fittingEditor({ kind: 'text' }, { a: 1 }),
      fittingEditor({ kind: 'text' }, 'two\nlines'),
      fittingEditor({ kind: 'number' }, 'ten'),
      fittingEditor({ kind: 'texts' }, [{ a: 1 }]),
      fittingEditor({ kind: 'texts', entryKey: 'source' }, [{ source: 'x' }]),
      fittingEditor({ kind: 'free' }, ['a']),
      fittingEditor({ kind: 'free' }, { a: 1 }),
    ]).toEqual([
      { kind: 'free' },
      { kind: 'long' },
      { kind: 'text' },
      { kind: 'free' },
      { kind: 'texts', entryKey: 'source' },
      { kind: 'texts' },
      { kind: 'free' },
    ]);
  });
});

describe('valueOf()', () => {
  it('takes a bare text for the key that it stands for', () => {
    const text = source('extends: base\n');
    const value = (key: string) => valueOf(text, { item: ['extends'], key, shortKey: 'lens' });
    expect([value('lens'), value('version')]).toEqual(['base', undefined]);
  });
});

describe('keptKeys()', () => {
  it('are those that the studio keeps without a meaning, known ones and others', () => {
    expect(keptKeys(source('metadata: {}\nspellbook: {}\nmine: 1\nskills: []\n'), [], 'lens')).toEqual([
      'spellbook',
      'mine',
    ]);
  });
});
