import { describe, expect, test } from 'vitest';
import type { Skill } from '../../model/skill.ts';
import { applyEdits } from '../edit/text-lines.ts';
import { readLibrary } from './library.ts';

function skill(body: string): Skill {
  const { value, diagnostics } = readLibrary(
    `skills:\n  - name: a\n    description: d\n    instructions: i\n${body}`,
    'a.yaml',
  );
  expect(diagnostics).toEqual([]);
  return value.skills[0]!;
}

function problems(text: string): string[] {
  return readLibrary(text, 'a.yaml').diagnostics.map(
    ({ code, location }) => `${location.line}:${location.column} ${code}`,
  );
}

describe('readSkills() accepts every form', () => {
  test.each([
    ['depends_on: x', ['x']],
    ['depends_on: [x, "sunwell/common:y"]', ['x', 'sunwell/common:y']],
    ['depends_on:\n      - source: x\n      - source: ./lib:y', ['x', './lib:y']],
    ['depends_on: {source: x}', ['x']],
    ['depends_on: []', []],
  ])('%j', (line, texts) => {
    expect(skill(`    ${line}\n`).dependsOn?.map((dependency) => dependency.text)).toEqual(texts);
  });

  test('a dependency knows its place, its path and what it refers to', () => {
    expect(skill('    depends_on:\n      - source: "fount://@t/p@^1.2:y"\n').dependsOn).toEqual([
      {
        text: 'fount://@t/p@^1.2:y',
        reference: { name: 'y', library: { kind: 'fount', package: '@t/p', range: '^1.2' } },
        at: { file: 'a.yaml', line: 6, column: 17, endLine: 6, endColumn: 38 },
        path: ['skills', 0, 'depends_on', 0, 'source'],
      },
    ]);
  });

  test.each([
    ['allowed_tools: [Read, "Bash(git log:*)"]', ['Read', 'Bash(git log:*)']],
    ['allowed-tools: Read, Bash(git log:*) Write', ['Read', 'Bash(git log:*)', 'Write']],
    // Split inside the brackets it would be a Bash that may do everything.
    ['allowed-tools: Bash(echo (a) b) Read', ['Bash(echo (a) b)', 'Read']],
  ])('%s', (line, tools) => {
    expect(skill(`    ${line}\n`).allowedTools).toEqual(tools);
  });

  test('graph fields, limits and conditions', () => {
    const read = skill(
      '    requires: in\n    produces: [x, y]\n    files: []\n    cache: false\n    timeout: 60\n    trust: none\n    enabled: {env: CI, equals: 1}\n    validate_with: {validators: [v], min_confidence: 0.9}\n',
    );
    expect({
      ...read,
      requires: read.requires?.map((item) => item.key),
      produces: read.produces?.map((item) => item.key),
    }).toEqual({
      name: 'a',
      description: 'd',
      type: 'inline',
      instructions: 'i',
      requires: ['in'],
      produces: ['x', 'y'],
      files: [],
      cache: false,
      timeoutSeconds: 60,
      trust: 'none',
      enabled: { env: 'CI', equals: '1' },
      validateWith: { validators: ['v'], minConfidence: 0.9 },
      at: { file: 'a.yaml', line: 2, column: 5, endLine: 13, endColumn: 1 },
      path: ['skills', 0],
    });
  });

  test.each([
    [
      '{name: a, source: "sunwell/common:b"}',
      'reference',
      { name: 'b', library: { kind: 'builtin', name: 'sunwell/common' } },
    ],
    ['{name: a, source: ./lib}', 'reference', undefined],
    ['{name: a, path: ./folder}', 'local', undefined],
  ])('%s needs nothing else', (entry, type, reference) => {
    const { value, diagnostics } = readLibrary(`skills: [${entry}]`, 'a.yaml');
    expect(diagnostics).toEqual([]);
    expect([value.skills[0]?.type, value.skills[0]?.source?.reference]).toEqual([type, reference]);
  });

  test('the language of a script comes from its extension', () => {
    const { scripts } = skill(
      '    scripts: [{name: a.py, content: x}, {name: b.mjs, path: b.mjs}, {name: c, language: shell, content: x}]\n',
    );
    expect(scripts?.map((script) => script.language)).toEqual(['python', 'node', 'bash']);
  });
});

describe('readSkills() reports', () => {
  const fields = 'description: d, instructions: i';
  test.each([
    [`skills: [{${fields}}]`, ['1:10 skill.missing-name']],
    [`skills: [{name: Read_File, ${fields}}]`, ['1:17 skill.bad-name']],
    ['skills: [{name: a, instructions: i}]', ['1:17 skill.missing-description']],
    ['skills: [{name: a, description: d}]', ['1:17 skill.no-content']],
    ['skills: [{name: a, type: reference}]', ['1:17 skill.missing-source']],
    [`skills: [{name: a-b, ${fields}}, {name: a-b, ${fields}}]`, ['1:56 skill.duplicate-name']],
    [`skills: [{name: a, ${fields}, depends_on: "team/x:y"}]`, ['1:65 reference.malformed']],
    [
      `skills: [{name: a, ${fields}, depends_on: [{sauce: x}]}]`,
      ['1:67 key.unknown', '1:66 reference.malformed'],
    ],
    [`skills: [{name: a, ${fields}, timeout: 900}]`, ['1:62 value.out-of-range']],
    [`skills: [{name: a, ${fields}, trust: total}]`, ['1:60 value.unknown']],
    [
      'skills: [{name: a, description: d, scripts: [{name: ../x.py, content: y}]}]',
      ['1:53 skill.bad-script-name'],
    ],
    [
      'skills: [{name: a, description: d, scripts: [{name: x, content: y}]}]',
      ['1:53 skill.unknown-language'],
    ],
    ['skills: [{name: a, description: d, scripts: [{name: x.py}]}]', ['1:53 skill.empty-script']],
    [`skills: [{name: a, ${fields}, allowed_tools: [x], allowed-tools: y}]`, ['1:73 key.duplicate-form']],
    ['other: 1', ['1:1 key.unknown', '1:1 library.no-skills']],
  ])('%j', (text, expected) => {
    expect(problems(text)).toEqual(expected);
  });

  test('an unknown trust level grants nothing', () => {
    expect(
      readLibrary(`skills: [{name: a, ${fields}, trust: total}]`, 'a.yaml').value.skills[0],
    ).not.toHaveProperty('trust');
  });

  test('a bad name can be corrected', () => {
    const text = `skills: [{name: "Read_File 2", ${fields}}]`;
    const fix = readLibrary(text, 'a.yaml').diagnostics[0]?.fixes?.[0];
    expect(fix?.title).toBe('Rename to "read-file-2"');
    expect(applyEdits(text, fix!.edits)).toBe(`skills: [{name: read-file-2, ${fields}}]`);
  });
});
