import { describe, expect, test } from 'vitest';
import { hiddenCharacters } from './hidden-characters.ts';
import { lintSkill } from './lint.ts';
import type { LintedFile } from './lint.ts';
import { readSkillText } from './read-skill.ts';
import { fileReferences, suggestDependencies } from './references.ts';

const good = 'Reads PDF files. Use when a PDF is named.';

function lint(description: string, body = '', files?: readonly LintedFile[]): string[] {
  const text = `---\nname: a\ndescription: ${description}\n---\n${body}`;
  const reading = readSkillText(text, { directoryName: 'a', profile: 'strict' });
  return lintSkill(reading, files).map(
    ({ code, severity, message, line, column }) => `${line}:${column} ${severity} ${code} ${message}`,
  );
}

const script = (path: string, text: string, mode = 0o755): LintedFile => ({
  path,
  bytes: new TextEncoder().encode(text),
  mode,
});

describe('lintSkill()', () => {
  test('finds nothing in a good skill', () => {
    const files = [
      script('SKILL.md', ''),
      script('scripts/a.py', '#!/usr/bin/env python3\n'),
      script('references/x.md', ''),
    ];
    expect(
      lint(good, 'Run `scripts/a.py`, see [x](references/x.md#top) and [y](./references).\n', files),
    ).toEqual([]);
  });

  test.each([
    [
      'Reads PDFs',
      '3:14 info agent-skill.vague-description The description is too short to choose the skill by: say what it does and when to use it',
    ],
    [
      'Reads PDF files and prints them.',
      '3:14 info agent-skill.vague-description The description does not say when to use the skill: add "Use when …"',
    ],
    [
      'Use when <b> tags are in a file',
      '3:14 warning agent-skill.angle-brackets The description holds "<" or ">", which some clients put into prompts as they are',
    ],
    [
      'Use when C# and # tags are there',
      '3:14 info agent-skill.cut-by-comment The description ends before "# tags are there": quote it if that belongs to it',
    ],
  ])('description %s', (description, expected) => {
    expect(lint(description)).toContain(expected);
  });

  test('does not look for English words in other scripts', () => {
    expect(lint('PDFファイルを読み取ってテキストを抽出します。表も扱います。')).toEqual([]);
  });

  test('long instructions', () => {
    expect(lint(good, 'x\n'.repeat(500))).toEqual([
      '5:1 info agent-skill.long-body The instructions have 501 lines: more than 500 are too much to read at once',
    ]);
    expect(lint(good, 'x'.repeat(20_001))).toEqual([
      '5:1 info agent-skill.long-body The instructions have about 5001 tokens: more than 5000 are too much to read at once',
    ]);
  });

  test('files that are not there', () => {
    const body =
      'See [x](references/gone.md "t") and [w](https://a.b/c) and [s](../other/SKILL.md).\n```\npython scripts/gone.py\n```\n';
    expect(lint(good, body, [script('SKILL.md', '')])).toEqual([
      '5:9 warning agent-skill.broken-reference The instructions name "references/gone.md", which does not exist',
      '5:64 warning agent-skill.broken-reference The instructions name "../other/SKILL.md", which is not in the skill’s own folder',
      '7:8 warning agent-skill.broken-reference The instructions name "scripts/gone.py", which does not exist',
    ]);
  });

  test('scripts that do not start, or ask', () => {
    const files = [
      script('scripts/a.py', 'name = input("Name? ")\n', 0o644),
      script('scripts/b.sh', '#!/bin/sh\nread -p "Go on? " answer\n'),
      script('scripts/c.mjs', '#!/usr/bin/env node\nconst user_input = parse_input(1); // while read line\n'),
      script('scripts/lib/__init__.py', '', 0o644),
      script('scripts/d.sh', '#!/bin/sh\n# read -p is for people\nwhile read line; do :; done\n'),
    ];
    expect(lint(good, '', files)).toEqual([
      '1:1 info agent-skill.script-start Script "scripts/a.py" has no "#!" line and no execute bit',
      '1:1 warning agent-skill.interactive-script Script "scripts/a.py" asks for input with "input(", and nobody answers an agent’s scripts',
      '1:1 warning agent-skill.interactive-script Script "scripts/b.sh" asks for input with "read -p", and nobody answers an agent’s scripts',
    ]);
  });

  test('characters that nobody sees: attack 95', () => {
    const files = [script('references/x.md', 'a\nb\u202ec\n', 0o644)];
    expect(lint(good, 'a\u200bb\u200b\nok\n\u{e0041}', files)).toEqual([
      '5:2 warning agent-skill.hidden-characters The line holds a character that nobody sees (U+200B)',
      '7:1 warning agent-skill.hidden-characters The line holds a character that nobody sees (U+E0041)',
      '1:1 warning agent-skill.hidden-characters "references/x.md" holds a character that nobody sees (U+202E) in line 2',
    ]);
  });
});

test('hiddenCharacters() lets joiners pass where emoji and scripts need them, and a mark at the start', () => {
  expect(hiddenCharacters('\ufeff👩‍💻 می‌خواهم क्‍ष')).toEqual([]);
  expect(hiddenCharacters('a\u200db\nc\ufeff')).toEqual([
    { line: 1, column: 2, character: 'U+200D' },
    { line: 2, column: 2, character: 'U+FEFF' },
  ]);
});

test('fileReferences() names each file once, and no URL, anchor or absolute path', () => {
  const body =
    '[a](x.md) [b](x.md#y) [c](#z) [d](/etc/x) [e](mailto:a@b.c) [f](a%20b.md) [g](<c.md>)\nhttps://x.y/scripts/no.py scripts/run.sh, scripts/\n';
  expect(fileReferences(body).map(({ path, line }) => `${line} ${path}`)).toEqual([
    '1 x.md',
    '1 a b.md',
    '1 c.md',
    '2 scripts/run.sh',
  ]);
});

describe('suggestDependencies()', () => {
  const others = ['read', 'pdf-reader', 'notes'].map((name) => ({ name, body: '' }));
  const suggested = (body: string, dependsOn: readonly string[] = []) =>
    suggestDependencies([{ name: 'own', body, dependsOn }, ...others]).map(
      ({ from, to, line }) => `${from} ${to} ${line}`,
    );

  test.each([
    ['See ../read/SKILL.md', ['own read 1']],
    ['First\nrun /notes and $read', ['own notes 2', 'own read 2']],
    ['Use the `pdf-reader` for that', ['own pdf-reader 1']],
    ['Use the read skill, then skill "notes"', ['own notes 1', 'own read 1']],
    ['You may read notes in `read` mode at a/notes', []],
    ['the own skill, the missing-one skill', []],
  ])('%j', (body, expected) => {
    expect(suggested(body)).toEqual(expected);
  });

  test('leaves out what is declared, and gives the evidence', () => {
    expect(suggested('Use the read skill and the notes skill', ['sunwell/common:read'])).toEqual([
      'own notes 1',
    ]);
    expect(suggestDependencies([{ name: 'own', body: 'x\n  Use the read skill  ' }, ...others])).toEqual([
      { from: 'own', to: 'read', line: 2, evidence: 'Use the read skill' },
    ]);
  });
});
