import { describe, expect, it } from 'vitest';
import { openYaml } from '../yaml/open.ts';
import type { YamlSource } from '../yaml/source.ts';
import { changeTexts, setField, textsOf } from './field-edits.ts';
import { addItem, duplicateItem } from './item-edits.ts';
import type { EditResult } from './place.ts';
import { setYaml, yamlAt } from './set-yaml.ts';
import { applyEdits } from './text-lines.ts';

function after(text: string, edit: (source: YamlSource) => EditResult): string {
  const result = edit(openYaml(text, 'a.lens').source);
  if (!result.ok) return `refused: ${result.message}`;
  expect(applyEdits(text, result.edits)).toBe(result.source.text);
  return result.source.text;
}

describe('setField()', () => {
  it('writes a new key to its place among those that are there', () => {
    const order = ['name', 'description', 'trust', 'instructions'];
    expect(
      after('skills:\n  - name: a # first\n    instructions: |\n      do\n', (source) =>
        setField(source, { item: ['skills', 0], key: 'trust', order }, 'none'),
      ),
    ).toBe('skills:\n  - name: a # first\n    trust: none\n    instructions: |\n      do\n');
  });

  it('makes the maps that are missing, and takes them out again with their last key', () => {
    const place = { item: ['lens', 'quality_policy'], key: 'retry_limit' };
    const made = after('lens:\n  metadata: {name: x}\n', (source) => setField(source, place, 2));
    expect(made).toBe('lens:\n  metadata: {name: x}\n  quality_policy:\n    retry_limit: 2\n');
    expect(after(made, (source) => setField(source, place, undefined))).toBe(
      'lens:\n  metadata: {name: x}\n',
    );
  });

  it('keeps an item whose last key goes', () => {
    expect(
      after('skills:\n  - name: a\n', (source) =>
        setField(source, { item: ['skills', 0], key: 'name' }, undefined),
      ),
    ).toBe('skills:\n  - {}\n');
  });

  it('writes a bare text out as a map only where another key needs it', () => {
    const place = (key: string) => ({ item: ['extends'], key, shortKey: 'lens' });
    const text = 'extends: "base" # why\n';
    expect([
      after(text, (source) => setField(source, place('lens'), 'other')),
      after(text, (source) => setField(source, place('version'), '^1')),
      after(text, (source) => setField(source, place('version'), undefined)),
      after(text, (source) => setField(source, place('lens'), undefined)),
    ]).toEqual(['extends: "other" # why\n', 'extends: # why\n  lens: base\n  version: ^1\n', text, '{}\n']);
  });
});

describe('changeTexts()', () => {
  const place = { item: [], key: 'tags' };
  const list = 'tags:\n  - a # one\n  - b\n';

  it('changes one entry and leaves the others alone', () => {
    expect([
      after(list, (source) => changeTexts(source, place, { kind: 'set', index: 1, text: 'c' })),
      after(list, (source) => changeTexts(source, place, { kind: 'insert', index: 1, text: 'c' })),
      after(list, (source) => changeTexts(source, place, { kind: 'remove', index: 1 })),
      after(list, (source) => changeTexts(source, place, { kind: 'move', index: 1, to: 0 })),
    ]).toEqual([
      'tags:\n  - a # one\n  - c\n',
      'tags:\n  - a # one\n  - c\n  - b\n',
      'tags:\n  - a # one\n',
      'tags:\n  - b\n  - a # one\n',
    ]);
  });

  it('takes a bare text as a list of one and makes a list where there is none', () => {
    expect([
      after('tags: a\n', (source) => changeTexts(source, place, { kind: 'insert', index: 1, text: 'b' })),
      after('x: 1\n', (source) => changeTexts(source, place, { kind: 'insert', index: 0, text: 'b' })),
      after('x: 1\ntags: [a]\n', (source) => changeTexts(source, place, { kind: 'remove', index: 0 })),
    ]).toEqual(['tags:\n  - a\n  - b\n', 'x: 1\ntags:\n  - b\n', 'x: 1\n']);
  });

  it('keeps an empty list where it says something', () => {
    const files = { item: [], key: 'files', keepsEmpty: true };
    expect(after('files: [a]\n', (source) => changeTexts(source, files, { kind: 'remove', index: 0 }))).toBe(
      'files: []\n',
    );
  });

  it('writes entries in the form of their neighbours', () => {
    const depends = { item: [], key: 'depends_on', entryKey: 'source' };
    const text = 'depends_on:\n  - source: a\n';
    expect(textsOf(openYaml(text, 'x').source, ['depends_on'], 'source')).toEqual(['a']);
    expect([
      after(text, (source) => changeTexts(source, depends, { kind: 'insert', index: 1, text: 'b' })),
      after(text, (source) => changeTexts(source, depends, { kind: 'set', index: 0, text: 'b' })),
    ]).toEqual(['depends_on:\n  - source: a\n  - source: b\n', 'depends_on:\n  - source: b\n']);
  });
});

describe('addItem()', () => {
  it('makes the list with the maps around it, and a list out of a single value', () => {
    expect([
      after('a: 1\n', (source) => addItem(source, ['validators', 'heuristic'], { name: 'x' })),
      after('compose: one\n', (source) => addItem(source, ['compose'], 'two')),
      after('personas:\n', (source) => addItem(source, ['personas'], { name: 'x' })),
    ]).toEqual([
      'a: 1\nvalidators:\n  heuristic:\n    - name: x\n',
      'compose:\n  - one\n  - two\n',
      'personas:\n  - name: x\n',
    ]);
  });
});

describe('duplicateItem()', () => {
  it('copies an item as it is written, under a free name', () => {
    const text = 'skills:\n  - name: "a" # first\n    run: |\n      x\n\n  # second\n  - name: a-copy\n';
    expect(after(text, (source) => duplicateItem(source, ['skills', 0]))).toBe(
      'skills:\n  - name: "a" # first\n    run: |\n      x\n  - name: "a-copy-2" # first\n    run: |\n      x\n\n  # second\n  - name: a-copy\n',
    );
  });

  it('copies what stands in brackets', () => {
    expect(after('skills: [{name: a}]\n', (source) => duplicateItem(source, ['skills', 0]))).toBe(
      'skills: [{name: a}, {name: a-copy}]\n',
    );
  });
});

describe('setYaml()', () => {
  it('shows a value without its indentation and writes it back with its comments', () => {
    const text = 'a:\n  json_schema: # strict\n    type: object # yes\n    required: [x]\n  b: 1\n';
    const path = ['a', 'json_schema'];
    const shown = yamlAt(openYaml(text, 'x').source, path);
    expect(shown).toBe('type: object # yes\nrequired: [x]');
    expect(after(text, (source) => setYaml(source, path, `${shown}\n# more\nmax: 2`))).toBe(
      'a:\n  json_schema: # strict\n    type: object # yes\n    required: [x]\n    # more\n    max: 2\n  b: 1\n',
    );
  });

  it('writes a value that was not there, on one line or on several', () => {
    expect([
      after('a: {}\n', (source) => setYaml(source, ['a', 'x'], '{b: 1}')),
      after('a: 1\n', (source) => setYaml(source, ['x'], '# note\nb: 1')),
      after('a: 1 # one\n', (source) => setYaml(source, ['a'], '[2, 3]')),
    ]).toEqual(['a:\n  x: {b: 1}\n', 'a: 1\nx:\n  # note\n  b: 1\n', 'a: [2, 3] # one\n']);
  });

  it('refuses what is no YAML and says where', () => {
    expect(after('a: 1\n', (source) => setYaml(source, ['a'], 'b: [1'))).toMatch(/^refused: .*\(line 1\)$/);
  });
});
