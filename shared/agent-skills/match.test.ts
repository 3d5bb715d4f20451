import { describe, expect, test } from 'vitest';
import { clearMatch, matchSkills } from './match.ts';
import type { SkillMatch } from './match.ts';

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

describe('matchSkills() with sure signs', () => {
  const signed = [
    { skill: 'lint-py', name: 'lint-py', description: 'Finds faults', files: ['src/**/*.py'] },
    { skill: 'audit', name: 'audit', description: 'Reads all code', shortcuts: ['::a'], files: ['**/*'] },
    { skill: 'write-docs', name: 'write-docs', description: 'Writes pages', triggers: ['api docs'] },
  ];

  test('ranks by name, shortcut, trigger, file, then words, and says why', () => {
    const pages = { skill: 'pages', name: 'pages', description: 'Makes much of code, audit, api and docs' };
    const task = 'use lint-py, ::a, api docs; code of other.py';
    const [, audit, docs] = signed;
    const py = { skill: 'py', name: 'python-things', files: ['*.py'] };
    expect(
      matchSkills(task, [pages, py, docs!, audit!, signed[0]!]).map(({ skill, score, reason }) => [
        skill,
        Math.floor(score / 100),
        reason,
      ]),
    ).toEqual([
      ['lint-py', 4, 'named in the task; file "other.py" fits "src/**/*.py"; "lint", "py" in its name'],
      ['audit', 3, 'shortcut "::a"; "code" in its description'],
      ['write-docs', 2, 'trigger "api docs"; "docs" in its name'],
      ['py', 1, 'file "other.py" fits "*.py"'],
      ['pages', 0, '"api", "docs", "code" in its description'],
    ]);
  });

  test.each([
    ['audit', true],
    ['run "audit" now', true],
    ['@audit the code', true],
    ['/audit', true],
    ['audit the code', false],
    ['src/audit', false],
    ['open /audit/log', false],
  ])('%j names a skill that is called by a plain word: %j', (task, isNamed) => {
    const [match] = matchSkills(task, [signed[1]!]);
    expect((match?.score ?? 0) >= 400).toBe(isNamed);
  });

  test.each(['relint-py', 'lint-py-3', 'lint-py.txt', 'other:lint-py', 'x/lint-py'])(
    '%j does not name lint-py',
    (task) => {
      expect(matchSkills(task, [signed[0]!])[0]?.score ?? 0).toBeLessThan(100);
    },
  );

  test.each([
    ['::a', true],
    ['please ::A: the code', true],
    ['::ab', false],
    ['x::a', false],
  ])('%j holds the shortcut ::a: %j', (task, isHeld) => {
    expect((matchSkills(task, [signed[1]!])[0]?.score ?? 0) >= 300).toBe(isHeld);
  });

  test.each([
    ['Clean ./src/deep/a.py.', 'file "src/deep/a.py" fits "src/**/*.py"'],
    ['clean `src\\a.py`', 'file "src/a.py" fits "src/**/*.py"'],
    ['clean a.py', 'file "a.py" fits "src/**/*.py"'],
    ['clean test/a.py', undefined],
    ['clean a.ts', undefined],
  ])('%j mentions a file of the skill: %j', (task, reason) => {
    const skill = { skill: 'x', name: 'x', files: ['docs/**', 'src/**/*.py'] };
    expect(matchSkills(task, [skill])[0]?.reason).toBe(reason);
  });

  test('names of strangers are no regular expressions', () => {
    const odd = { skill: '(a+)+$', name: '(a+)+$', shortcuts: ['[', ''] };
    expect(matchSkills(`${'a'.repeat(50)}!`, [odd])).toEqual([]);
  });
});

describe('clearMatch()', () => {
  const matches = (...scores: number[]): SkillMatch[] =>
    scores.map((score, i) => ({ skill: `s${i}`, score, reason: '' }));

  test.each([
    [[], undefined],
    [[0.5], 's0'],
    [[3, 2], 's0'],
    [[3, 2.5], undefined],
    [[100, 99], 's0'],
    [[203, 202], 's0'],
    [[202, 202], undefined],
    [[100, 100], undefined],
    [[409, 401], undefined],
    [[401, 399], 's0'],
  ])('of %j chooses %j', (scores, chosen) => {
    expect(clearMatch(matches(...scores))?.skill).toBe(chosen);
  });
});
