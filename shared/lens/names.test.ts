import { expect, test } from 'vitest';
import { didYouMean, editDistance, isSkillName, lookupName, lookupSkillName, toSkillName } from './names.ts';

test('lookupName() ignores case, lookupSkillName() also takes "_" for "-"', () => {
  expect([lookupName('The Novice'), lookupName('a_B'), lookupSkillName('Read_File')]).toEqual([
    'the novice',
    'a_b',
    'read-file',
  ]);
});

test.each([
  ['read-file', true],
  ['a2', true],
  ['a'.repeat(64), true],
  ['a'.repeat(65), false],
  ['read_file', false],
  ['Read', false],
  ['2a', false],
  ['a--b', false],
  ['a-', false],
  ['', false],
])('isSkillName(%j) is %s', (name, expected) => {
  expect(isSkillName(name)).toBe(expected);
});

test.each([
  ['Read_File', 'read-file'],
  ['readFile', 'read-file'],
  ['  Grüße an alle! ', 'gru-e-an-alle'],
  ['2-things', 'things'],
  ['???', undefined],
])('toSkillName(%j) is %j', (name, expected) => {
  expect(toSkillName(name)).toBe(expected);
});

test.each([
  ['', 'abc', 3],
  ['abc', 'abc', 0],
  ['abc', 'acb', 1],
  ['kitten', 'sitting', 3],
])('editDistance(%j, %j) is %d', (from, to, expected) => {
  expect(editDistance(from, to)).toBe(expected);
});

test('didYouMean() finds what is near and nothing that is far', () => {
  const keys = ['heuristics', 'validators', 'personas'];
  expect(['heuristcs', 'Validator', 'persnoas', 'output'].map((word) => didYouMean(word, keys))).toEqual([
    'heuristics',
    'validators',
    'personas',
    undefined,
  ]);
});
