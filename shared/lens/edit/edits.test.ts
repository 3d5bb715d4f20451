import { describe, expect, test } from 'vitest';
import { openYaml } from '../yaml/open.ts';
import type { Path, YamlSource } from '../yaml/source.ts';
import { insertEntry, insertItem } from './insert.ts';
import {
  addToTexts,
  addDependency,
  addHeuristic,
  addInput,
  addPersona,
  addSkill,
  addValidator,
  removeContextKey,
  removeDependency,
} from './lens-edits.ts';
import type { EditResult } from './place.ts';
import { moveEntry, renameKey } from './rearrange.ts';
import { removeAt } from './remove.ts';
import { setValue } from './set.ts';
import { applyEdits } from './text-lines.ts';

function edited(text: string, edit: (source: YamlSource) => EditResult): string {
  const result = edit(openYaml(text, 'a.lens').source);
  return result.ok ? applyEdits(text, result.edits) : `refused: ${result.reason}`;
}

describe('setValue() keeps the style of what it replaces', () => {
  test.each<[string, Path, Parameters<typeof setValue>[2], string]>([
    ['a: "x" # c\n', ['a'], 'y', 'a: "y" # c\n'],
    ["a: 'x'\n", ['a'], "it's", "a: 'it''s'\n"],
    ['a: x   # c', ['a'], 'true', 'a: "true"   # c'],
    ['a:   x\nb: 1\n', ['a'], 'y', 'a:   y\nb: 1\n'],
    ['a:\nb: 1\n', ['a'], 5, 'a: 5\nb: 1\n'],
    ['a: # c\nb: 1\n', ['a'], 5, 'a: 5 # c\nb: 1\n'],
    [
      'a: | # c\n    one\n    two\n\n# d\nb: 1\n',
      ['a'],
      'one\n2\n',
      'a: | # c\n    one\n    2\n\n# d\nb: 1\n',
    ],
    ['a: |\n  one\n', ['a'], 'one', 'a: |-\n  one\n'],
    ['a: x # c\nb: 1\n', ['a'], 'two\nlines\n', 'a: | # c\n  two\n  lines\nb: 1\n'],
    ['a: x # c\r\nb: 1\r\n', ['a'], ['p', 'q'], 'a: # c\r\n  - p\r\n  - q\r\nb: 1\r\n'],
    ['a: # c\n  - p # d\n\n# e\nb: 1\n', ['a'], 'x', 'a: x # c\n\n# e\nb: 1\n'],
    ['x:\n- p\na: 1\n', ['a'], ['q'], 'x:\n- p\na:\n- q\n'],
    ['- a: 1\n  b: 2 # c\n- z\n', [0, 'b'], { c: 3 }, '- a: 1\n  b: # c\n    c: 3\n- z\n'],
    ['-   a: 1\n    b: 2\n', [0], { c: 3, d: 4 }, '-   c: 3\n    d: 4\n'],
    ['a: [x, y] # c\n', ['a', 1], 'p, q', 'a: [x, "p, q"] # c\n'],
    ['a: {x: 1}\n', ['a', 'y'], [1, 'two\n'], 'a: {x: 1, y: [1, "two\\n"]}\n'],
    ['\ufeffa: 1', ['b'], 2, '\ufeffa: 1\nb: 2'],
  ])('%j', (text, path, value, expected) => {
    expect(edited(text, (source) => setValue(source, path, value))).toBe(expected);
  });

  test('the edit is no larger than what differs', () => {
    const text = 'a: |\n  one\n  two\n  three\n';
    expect(setValue(openYaml(text, 'a.lens').source, ['a'], 'one\n2\nthree\n')).toMatchObject({
      ok: true,
      edits: [{ file: 'a.lens', start: 13, end: 16, text: '2' }],
    });
  });
});

describe('insertEntry() and insertItem() fit in', () => {
  test.each<[string, (source: YamlSource) => EditResult, string]>([
    ['', (s) => insertEntry(s, [], 'a', 1), 'a: 1\n'],
    ['# only a comment', (s) => insertEntry(s, [], 'a', 1), '# only a comment\na: 1\n'],
    ['a: 1 # c\n\n# end\n', (s) => insertEntry(s, [], 'b', 2), 'a: 1 # c\nb: 2\n\n# end\n'],
    ['a:\n    b: 1\n', (s) => insertEntry(s, ['a'], 'c', { d: 1 }), 'a:\n    b: 1\n    c:\n        d: 1\n'],
    ['- a: 1\n', (s) => insertEntry(s, [0], 'b', 2, 0), '- b: 2\n  a: 1\n'],
    ['a:\n- x # c\nb: 1', (s) => insertItem(s, ['a'], 'y'), 'a:\n- x # c\n- y\nb: 1'],
    ['a: []\n', (s) => insertItem(s, ['a'], 'y'), 'a:\n  - y\n'],
    ['a:\n', (s) => insertItem(s, ['a'], 'y'), 'a:\n  - y\n'],
    ['a: [x]\n', (s) => insertItem(s, ['a'], 'y', 0), 'a: [y, x]\n'],
    ['a: ["x", y, \'z\']\n', (s) => insertItem(s, ['a'], 'y'), "a: [\"x\", y, 'z', 'y']\n"],
    ['a:\n  - "x" # c\n', (s) => insertItem(s, ['a'], 'y: 1'), 'a:\n  - "x" # c\n  - "y: 1"\n'],
    ['a: [\n  x, # c\n]\n', (s) => insertItem(s, ['a'], 'y'), 'a: [\n  x, # c\n  y,\n]\n'],
    ['a: [\n  x # c\n]\n', (s) => insertItem(s, ['a'], 'y'), 'a: [\n  x, # c\n  y\n]\n'],
    ['a: |+\n  x\n\n', (s) => insertEntry(s, [], 'b', 1), 'a: |+\n  x\n\nb: 1\n'],
  ])('%j', (text, edit, expected) => {
    expect(edited(text, edit)).toBe(expected);
  });
});

describe('removeAt(), renameKey() and moveEntry() keep comments', () => {
  test.each<[string, (source: YamlSource) => EditResult, string]>([
    ['a: 1\n# on b\nb: 2 # c\nd: 3\n', (s) => removeAt(s, ['b']), 'a: 1\n# on b\nd: 3\n'],
    ['- a: 1\n  # on b\n  b: 2\n', (s) => removeAt(s, [0, 'a']), '- # on b\n  b: 2\n'],
    ['a:\n  - x\nb: 1\n', (s) => removeAt(s, ['a', 0]), 'a: []\nb: 1\n'],
    ['a: 1\n\nb: 2\n\nc: 3\n', (s) => removeAt(s, ['b']), 'a: 1\n\nc: 3\n'],
    ['a: 1\nb: 2\n\nc: 3\n', (s) => removeAt(s, ['b']), 'a: 1\n\nc: 3\n'],
    ['l:\r\n  - x\r\n\r\n  - y\r\n\r\nc: 3\r\n', (s) => removeAt(s, ['l', 1]), 'l:\r\n  - x\r\n\r\nc: 3\r\n'],
    ['a: 1\nb: 2', (s) => removeAt(s, ['b']), 'a: 1'],
    ['a: 1\n', (s) => removeAt(s, ['a']), '{}\n'],
    ['a: [x, y, z]\n', (s) => removeAt(s, ['a', 1]), 'a: [x, z]\n'],
    ['a: [x, y]\n', (s) => removeAt(s, ['a', 1]), 'a: [x]\n'],
    ['a: [\n  x, # c\n  y\n]\n', (s) => removeAt(s, ['a', 1]), 'a: [\n  x, # c\n  \n]\n'],
    ['"a": 1 # c\n', (s) => renameKey(s, ['a'], 'b'), '"b": 1 # c\n'],
    ['# h\n- a # 1\n# i\n- b\n', (s) => moveEntry(s, [1], 0), '# h\n- b\n# i\n- a # 1\n'],
    ['a: {x: 1, y: 2}\n', (s) => moveEntry(s, ['a', 'x'], 1), 'a: {y: 2, x: 1}\n'],
  ])('%j', (text, edit, expected) => {
    expect(edited(text, edit)).toBe(expected);
  });
});

describe('edits are refused', () => {
  test.each<[string, (source: YamlSource) => EditResult, string]>([
    ['a: &x {b: 1}\nc: *x\n', (s) => setValue(s, ['c', 'b'], 2), 'alias'],
    ['a: &x {b: 1}\nc: *x\n', (s) => setValue(s, ['a', 'b'], 2), 'alias'],
    ['a: &x 1\nc: *x\n', (s) => removeAt(s, ['a']), 'alias'],
    ['a: &x 1\nc: *x\n', (s) => moveEntry(s, ['c'], 0), 'not-editable'],
    ['a: !!str 1\n', (s) => setValue(s, ['a'], 2), 'tag'],
    ['a: "x\n', (s) => setValue(s, ['a'], 2), 'broken-text'],
    ['a: 1\n', (s) => removeAt(s, ['b']), 'not-found'],
    ['a: 1\n', (s) => setValue(s, ['a', 'b'], 2), 'not-a-collection'],
    ['a: 1\n', (s) => insertEntry(s, [], 'a', 2), 'already-there'],
    ['a: 1\nb: 2\n', (s) => renameKey(s, ['a'], 'b'), 'already-there'],
    ['a: [1]\n', (s) => setValue(s, ['a', 5], 2), 'not-found'],
  ])('%j', (text, edit, reason) => {
    expect(edited(text, edit)).toBe(`refused: ${reason}`);
  });
});

describe('edits of a lens', () => {
  const at = ['skills', 0];
  test.each<[string, (source: YamlSource) => EditResult, string]>([
    [
      'skills:\n  - name: a\n    description: d\n    instructions: |\n      x\n',
      (s) => addDependency(s, at, 'b'),
      'skills:\n  - name: a\n    description: d\n    depends_on:\n      - b\n    instructions: |\n      x\n',
    ],
    [
      'skills:\n- name: a\n  depends_on: b # c\n',
      (s) => addDependency(s, at, 'c'),
      'skills:\n- name: a\n  depends_on: # c\n  - b\n  - c\n',
    ],
    [
      'skills:\n  - name: a\n    depends_on:\n      - source: b\n',
      (s) => addDependency(s, at, './l:c'),
      'skills:\n  - name: a\n    depends_on:\n      - source: b\n      - source: ./l:c\n',
    ],
    ['skills: [{name: a, depends_on: [b]}]\n', (s) => addDependency(s, at, 'b'), 'refused: already-there'],
    [
      'skills: [{name: a, depends_on: [b, c]}]\n',
      (s) => removeDependency(s, at, 'b'),
      'skills: [{name: a, depends_on: [c]}]\n',
    ],
    [
      'skills:\n  - name: a\n    depends_on: [b]\n',
      (s) => removeDependency(s, at, 'b'),
      'skills:\n  - name: a\n',
    ],
    [
      'skills: [{name: a, requires: x}]\n',
      (s) => addToTexts(s, at, 'requires', 'y'),
      'skills: [{name: a, requires: [x, y]}]\n',
    ],
    [
      'skills: [{name: a, produces: [x, y]}]\n',
      (s) => removeContextKey(s, at, 'produces', 'x'),
      'skills: [{name: a, produces: [y]}]\n',
    ],
    [
      'lens:\n  metadata: {}\n',
      (s) => addSkill(s, { name: 'a' }),
      'lens:\n  metadata: {}\n  skills:\n    - name: a\n',
    ],
    ['lens:\n  name: x\n', (s) => addSkill(s, { name: 'a' }), 'lens:\n  name: x\n  skills:\n    - name: a\n'],
    [
      'heuristics:\n  principles:\n    - name: a\n',
      (s) => addHeuristic(s, { name: 'b' }),
      'heuristics:\n  principles:\n    - name: a\n    - name: b\n',
    ],
    [
      'validators:\n  - name: a\n',
      (s) => addValidator(s, 'heuristic', { name: 'b' }),
      'validators:\n  - name: a\n  - name: b\n',
    ],
    [
      'a: 1\n',
      (s) => addValidator(s, 'heuristic', { name: 'b' }),
      'a: 1\nvalidators:\n  heuristic:\n    - name: b\n',
    ],
    ['personas: []\n', (s) => addPersona(s, { name: 'p' }), 'personas:\n  - name: p\n'],
    [
      'inputs:\n  a: {}\n',
      (s) => addInput(s, 'b', { type: 'text' }),
      'inputs:\n  a: {}\n  b:\n    type: text\n',
    ],
  ])('%j', (text, edit, expected) => {
    expect(edited(text, edit)).toBe(expected);
  });
});
