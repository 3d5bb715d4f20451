import { describe, expect, test } from 'vitest';
import { matchSkills } from './match.ts';

const skills = [
  {
    skill: 'merge-pdf',
    name: 'merge-pdf',
    description: 'Joins PDF files into one. Use it when pages belong together',
  },
  {
    skill: 'write-docs',
    name: 'write-docs',
    description: 'Writes reference pages',
    triggers: ['api docs', 'reference'],
  },
  { skill: 'a.lens:notes', name: 'notes', description: 'Takes notes of a meeting', triggers: ['minutes'] },
];

describe('matchSkills()', () => {
  test.each([
    ['merge two pdfs', ['merge-pdf'], '"merge", "pdfs" in its name; "pdfs" in its description'],
    [
      'Write API DOCS for the class',
      ['write-docs'],
      'trigger "api docs"; "write", "docs" in its name; "write" in its description',
    ],
    ['take the minutes', ['a.lens:notes'], 'trigger "minutes"; "take" in its description'],
    ['which page is it', ['merge-pdf', 'write-docs'], '"page" in its description'],
  ])('%j finds %j because of %s', (task, found, reason) => {
    const matches = matchSkills(task, skills);
    expect(matches.map(({ skill }) => skill).sort()).toEqual(found.sort());
    expect(matches[0]?.reason).toBe(reason);
  });

  test('what a trigger names outranks what a description mentions', () => {
    const [best] = matchSkills('reference pages', skills);
    expect(best?.skill).toBe('write-docs');
    expect(best?.score).toBeGreaterThan(0);
  });

  test.each(['', 'please use the skill for this', 'zzz', '---'])('%j matches nothing', (task) => {
    expect(matchSkills(task, skills)).toEqual([]);
  });

  test('equal skills keep their order, and other scripts are words too', () => {
    const twins = ['b', 'a'].map((skill) => ({ skill, name: 'x', description: '技能 навык' }));
    expect(matchSkills('Навык', twins).map(({ skill }) => skill)).toEqual(['b', 'a']);
  });

  test.each([
    'match',
    'matches',
    'cache',
    'caches',
    'class',
    'classes',
    'query',
    'queries',
    'bus',
    'analysis',
  ])('%s is found as one and as many', (word) => {
    const described = { skill: 'x', name: 'x', description: 'match cache class query bus analysis' };
    expect(matchSkills(word, [described])).toHaveLength(1);
  });

  test('no skills, no matches', () => {
    expect(matchSkills('pdf', [])).toEqual([]);
  });
});
