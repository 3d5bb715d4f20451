import { expect, test } from 'vitest';
import type { QuickFix } from '../model/diagnostic.ts';
import { applyEdits } from './edit/text-lines.ts';
import {
  addDependencyFix,
  addProducesFix,
  declareInputFix,
  removeContextKeyFix,
  removeDependencyFix,
  removeEntryFix,
  replaceDependencyFixes,
  replaceTextFixes,
} from './fixes.ts';
import { readLens } from './read/lens.ts';

const text = `metadata: {name: A, version: 1.0.0}
router: {shortcuts: {"::a": auditt}}
skills:
  - name: audit # the first
    description: d
    depends_on: [raed]
    requires: [topic]
    instructions: i
`;
const { value, source } = readLens(text, 'a.lens');
const skill = value.skills[0]!;
const dependency = skill.dependsOn![0]!;

test.each<[string, QuickFix[], string, string, string]>([
  [
    'another dependency',
    replaceDependencyFixes(source, dependency, ['read']),
    'Change to "read"',
    '[raed]',
    '[read]',
  ],
  [
    'no dependency',
    removeDependencyFix(source, skill, dependency),
    'Remove the dependency on "raed"',
    '    depends_on: [raed]\n',
    '',
  ],
  ['one more dependency', addDependencyFix(source, skill, 'ask'), 'Depend on "ask"', '[raed]', '[raed, ask]'],
  [
    'a run input',
    declareInputFix(source, 'topic'),
    'Declare "topic" as a run input',
    'instructions: i\n',
    'instructions: i\ninputs:\n  topic:\n    description: ""\n',
  ],
  [
    'no such key',
    removeContextKeyFix(source, skill, 'requires', 'topic'),
    'Remove "topic" from "requires"',
    '    requires: [topic]\n',
    '',
  ],
  [
    'one more product',
    addProducesFix(source, skill, 'x'),
    'Let "audit" produce "x"',
    '[topic]\n',
    '[topic]\n    produces:\n      - x\n',
  ],
  [
    'another shortcut',
    replaceTextFixes(source, value.router!.shortcuts![0]!.path, ['audit']),
    'Change to "audit"',
    'auditt',
    'audit',
  ],
  [
    'no router',
    removeEntryFix(source, ['router'], 'Remove the router'),
    'Remove the router',
    'router: {shortcuts: {"::a": auditt}}\n',
    '',
  ],
])('a fix writes %s', (_, fixes, title, before, after) => {
  expect(fixes.map((fix) => fix.title)).toEqual([title]);
  expect(applyEdits(text, fixes[0]!.edits)).toBe(text.replace(before, after));
});

test('there is no fix where the place cannot be edited', () => {
  const aliased = readLens(`${text}x: &a [1]\ny: *a\n`, 'a.lens');
  expect(removeEntryFix(aliased.source, ['x'], 'Remove')).toEqual([]);
});
