import { describe, expect, test } from 'vitest';
import { tokenizeTools } from './allowed-tools.ts';
import { readSkillFile, readSkillText } from './read-skill.ts';
import type { SkillProfile } from './problem.ts';

/** The numbers are those of the forty acceptance cases; the cases about folders, prompts and mounts are tested beside their code. */
const file = (frontmatter: string, body = '# Steps\n'): string => `---\n${frontmatter}\n---\n${body}`;
const named = (name: string): string => file(`name: ${name}\ndescription: Reads files.`);

function read(text: string, profile: SkillProfile = 'strict', directoryName = 'my-skill') {
  return readSkillText(text, { directoryName, profile });
}

/** The problems as `line severity message`. */
function said(text: string, profile: SkillProfile = 'strict', directoryName = 'my-skill'): string[] {
  return read(text, profile, directoryName).problems.map(
    ({ line, severity, message }) => `${line} ${severity} ${message}`,
  );
}

const characters = (name: string): string =>
  `2 error Skill name '${name}' contains invalid characters. Only letters, digits, and hyphens are allowed.`;

describe('names', () => {
  test('case 1: a matching name and a description have no problem', () => {
    expect(read(named('my-skill'))).toMatchObject({
      properties: { name: 'my-skill', description: 'Reads files.' },
      body: '# Steps\n',
      bodyLine: 5,
      problems: [],
      isUsable: true,
    });
  });

  test('case 5: upper case', () => {
    expect(said(named('MySkill'), 'strict', 'MySkill')).toEqual([
      "2 error Skill name 'MySkill' must be lowercase",
    ]);
  });

  test('case 6: 64 characters are allowed, 70 are not, and are loaded all the same', () => {
    const long = 'a'.repeat(70);
    expect(said(named('a'.repeat(64)), 'strict', 'a'.repeat(64))).toEqual([]);
    expect(said(named(long), 'strict', long)).toEqual([
      `2 error Skill name '${long}' exceeds 64 character limit (70 chars)`,
    ]);
    expect(read(named(long), 'lenient', long)).toMatchObject({
      isUsable: true,
      properties: { name: long },
      problems: [{ severity: 'warning' }],
    });
  });

  test.each(['-my-skill', 'my-skill-'])('case 7: %s', (name) => {
    expect(said(named(name), 'strict', name)).toEqual([
      '2 error Skill name cannot start or end with a hyphen',
    ]);
  });

  test('case 8: consecutive hyphens', () => {
    expect(said(named('my--skill'), 'strict', 'my--skill')).toEqual([
      '2 error Skill name cannot contain consecutive hyphens',
    ]);
  });

  test.each(['my_skill', 'my.skill', 'my skill', 'हिन्दी', 'ทักษะ', '½', '🙂', 'a‐b'])(
    'case 9: invalid characters in %s',
    (name) => {
      const stored = name.normalize('NFKC');
      expect(said(named(name), 'strict', name).filter((line) => line.includes(' error '))).toEqual([
        characters(stored),
      ]);
    },
  );

  test('case 10: the folder has another name', () => {
    const message = "Directory name 'wrong-name' must match skill name 'correct-name'";
    expect(said(named('correct-name'), 'strict', 'wrong-name')).toEqual([`2 error ${message}`]);
    expect(said(named('correct-name'), 'lenient', 'wrong-name')).toEqual([`2 warning ${message}`]);
    expect(read(named('correct-name'), 'lenient', 'wrong-name').isUsable).toBe(true);
  });

  test.each(['技能', 'мой-навык'])('case 14: %s is valid, and not portable', (name) => {
    expect(said(named(name), 'strict', name)).toEqual([
      `2 warning Other clients may refuse name '${name}': it has letters beyond a to z`,
    ]);
  });

  test('case 15: upper case of any script', () => {
    expect(said(named('НАВЫК'), 'strict', 'НАВЫК')[0]).toBe("2 error Skill name 'НАВЫК' must be lowercase");
    expect(said(named('Ⅷ'), 'strict', 'Ⅷ')[0]).toBe("2 error Skill name 'VIII' must be lowercase");
  });

  test.each([
    ['cafe\u0301', 'café'],
    ['ﬁ-x', 'fi-x'],
    ['ａ①²', 'a12'],
  ])('case 16: %s is stored in NFKC', (written, stored) => {
    const reading = read(named(written), 'strict', stored);
    expect(reading.isUsable).toBe(true);
    expect(reading.properties.name).toBe(stored);
  });

  test('all problems of a name are told at once, in the reference’s order', () => {
    const name = `-A__${'b'.repeat(64)}--`;
    expect(said(named(name), 'strict', 'x')).toEqual([
      `2 error Skill name '${name}' exceeds 64 character limit (70 chars)`,
      `2 error Skill name '${name}' must be lowercase`,
      '2 error Skill name cannot start or end with a hyphen',
      '2 error Skill name cannot contain consecutive hyphens',
      characters(name),
      `2 error Directory name 'x' must match skill name '${name}'`,
    ]);
  });

  test('blanks around a name are taken off, with a warning', () => {
    const text = file('name: " my-skill "\ndescription: d');
    expect(said(text)).toEqual(['2 warning Other clients may refuse a name with blanks around it']);
    expect(read(text).properties.name).toBe('my-skill');
  });
});

describe('fields', () => {
  const unexpected =
    "Unexpected fields in frontmatter: Name, allowed_tools, unknown_field. Only ['allowed-tools', 'compatibility', 'description', 'license', 'metadata', 'name'] are allowed.";

  test('case 11: unexpected fields are named, and kept where they can be', () => {
    const text = file(
      'name: my-skill\ndescription: d\nunknown_field:\n  a:\n    - 1.0\nallowed_tools: x\nName: y',
    );
    expect(said(text)).toEqual([`5 error ${unexpected}`]);
    expect(said(text, 'lenient')).toEqual([`5 warning ${unexpected}`]);
    expect(read(text, 'lenient').fields.map(({ key, value }) => [key, value])).toEqual([
      ['name', 'my-skill'],
      ['description', 'd'],
      ['unknown_field', { a: ['1.0'] }],
      ['allowed_tools', 'x'],
      ['Name', 'y'],
    ]);
  });

  test('case 12: all six fields', () => {
    const text = file(
      'metadata:\n  author: me\nallowed-tools: Read\ncompatibility: git\nlicense: MIT\ndescription: d\nname: my-skill',
    );
    expect(said(text)).toEqual([]);
    expect(Object.entries(read(text).properties)).toEqual([
      ['name', 'my-skill'],
      ['description', 'd'],
      ['license', 'MIT'],
      ['compatibility', 'git'],
      ['allowedTools', 'Read'],
      ['metadata', { author: 'me' }],
    ]);
  });

  test.each([
    ['Bash(jq:*) Bash(git:*)', ['Bash(jq:*)', 'Bash(git:*)']],
    ['Bash(git log:*) Read', ['Bash(git log:*)', 'Read']],
    ['Read, Write,Bash(a, (b) c:*)', ['Read', 'Write', 'Bash(a, (b) c:*)']],
    ['Bash(git Read', ['Bash(git Read']],
    ['a) b', ['a)', 'b']],
    ['  ', []],
  ])('case 13: allowed-tools %s', (tools, tokens) => {
    const text = file(`name: my-skill\ndescription: d\nallowed-tools: "${tools}"`);
    expect(said(text)).toEqual([]);
    expect(read(text).properties.allowedTools).toBe(tools);
    expect(tokenizeTools(tools)).toEqual(tokens);
  });

  test('a list of allowed tools is an error, and joined where that is allowed', () => {
    const text = file('name: my-skill\ndescription: d\nallowed-tools:\n  - Read\n  - Bash(a:*)');
    const message =
      "Field 'allowed-tools' must be a string: write the tools on one line, with spaces between";
    expect(said(text)).toEqual([`5 error ${message}`]);
    expect(said(text, 'lenient')).toEqual([`5 warning ${message}`]);
    expect(read(text, 'lenient').properties.allowedTools).toBe('Read Bash(a:*)');
  });

  test('case 17: descriptions are counted in code points', () => {
    const text = (description: string) => file(`name: my-skill\ndescription: ${description}`);
    expect(said(text('d'.repeat(1024)))).toEqual([]);
    expect(said(text('🙂'.repeat(1024)))).toEqual([]);
    expect(said(text('d'.repeat(1025)))).toEqual([
      '3 error Description exceeds 1024 character limit (1025 chars)',
    ]);
    expect(said(text(`"${' '.repeat(1024)}d"`))).toEqual([
      '3 error Description exceeds 1024 character limit (1025 chars)',
    ]);
    expect(read(text('d'.repeat(1068)), 'lenient').isUsable).toBe(true);
  });

  test.each([
    ['c'.repeat(500), []],
    ['c'.repeat(501), ['4 error Compatibility exceeds 500 character limit (501 chars)']],
    ['""', ["4 error Field 'compatibility' must be a non-empty string"]],
    ['\n  - a', ["5 error Field 'compatibility' must be a string"]],
  ])('case 18: compatibility %s', (value, expected) => {
    expect(said(file(`name: my-skill\ndescription: d\ncompatibility: ${value}`))).toEqual(expected);
  });

  test.each([
    ['description: d', ['1 error Missing required field in frontmatter: name']],
    ['name: my-skill', ['1 error Missing required field in frontmatter: description']],
    ['name: ""\ndescription: d', ["2 error Field 'name' must be a non-empty string"]],
    ['name: my-skill\ndescription: "   "', ["3 error Field 'description' must be a non-empty string"]],
    ['name: my-skill\ndescription:', ["3 error Field 'description' must be a non-empty string"]],
    ['name:\n  a: b\ndescription: d', ["3 error Field 'name' must be a non-empty string"]],
    [
      'x: y',
      [
        "2 error Unexpected fields in frontmatter: x. Only ['allowed-tools', 'compatibility', 'description', 'license', 'metadata', 'name'] are allowed.",
        '1 error Missing required field in frontmatter: name',
        '1 error Missing required field in frontmatter: description',
      ],
    ],
  ])('case 25: missing or blank: %j', (frontmatter, expected) => {
    expect(said(file(frontmatter))).toEqual(expected);
  });

  test('case 25: without a description a skill is not loaded, without a name it has that of its folder', () => {
    expect(read(file('name: my-skill'), 'lenient')).toMatchObject({
      isUsable: false,
      problems: [{ code: 'agent-skill.missing-description', severity: 'error' }],
    });
    expect(read(file('description: d'), 'lenient', 'pdf')).toMatchObject({
      isUsable: true,
      properties: { name: 'pdf' },
      problems: [{ code: 'agent-skill.missing-name', severity: 'warning' }],
    });
  });

  test('case 26: metadata keeps the texts that are written', () => {
    const text = file(
      'name: my-skill\ndescription: d\nmetadata:\n  version: 1.0\n  on: yes\n  n: null\n  d: 2001-01-01',
    );
    expect(said(text)).toEqual([]);
    expect(read(text).properties.metadata).toEqual({ version: '1.0', on: 'yes', n: 'null', d: '2001-01-01' });
  });

  test.each(['123', 'true', 'null', '1.0', '0x1F', '~'])('a name or description %s is a text', (value) => {
    const reading = read(file(`name: ${value}\ndescription: ${value}`), 'lenient', value);
    expect(reading.properties).toEqual({ name: value, description: value });
  });

  test('metadata that is no map of texts is an error, its texts are used and its tree is kept', () => {
    const nested = file('name: my-skill\ndescription: d\nmetadata:\n  a: x\n  openclaw:\n    emoji: "y"');
    const message = "Field 'metadata' must hold texts only: the value of 'openclaw' is a list or map";
    expect(said(nested)).toEqual([`5 error ${message}`]);
    const reading = read(nested, 'lenient');
    expect(reading.isUsable).toBe(true);
    expect(reading.properties.metadata).toEqual({ a: 'x' });
    expect(reading.fields.at(-1)?.value).toEqual({ a: 'x', openclaw: { emoji: 'y' } });
    expect(said(file('name: my-skill\ndescription: d\nmetadata: nope'))).toEqual([
      "4 error Field 'metadata' must be a map of keys and texts",
    ]);
  });
});

describe('frontmatter', () => {
  const mustStart = '1 error SKILL.md must start with YAML frontmatter (---)';

  test.each(['# Hi\n', '', '\n---\nname: a\n---\n', ' ---\nname: a\n---\n', '----\nname: a\n---\n', '+++\n'])(
    'case 21: no frontmatter in %j',
    (text) => {
      expect(said(text)).toEqual([mustStart]);
      expect(read(text, 'lenient').isUsable).toBe(false);
    },
  );

  test.each([
    '---\nname: a\n',
    '---',
    '---\nname: a\n...\nbody',
    '---\nname: a\n ---\n',
    '---\nname: a\n----\n',
  ])('case 22: never closed: %j', (text) => {
    expect(said(text)).toEqual(['1 error SKILL.md frontmatter not properly closed with ---']);
  });

  test('case 23: broken YAML, with the line of the file', () => {
    const text = file('description: d\nname: [invalid');
    const expected =
      '3 error Invalid YAML in frontmatter: Flow sequence in block collection must be sufficiently indented and end with a ]';
    expect(said(text)).toEqual([expected]);
    expect(said(text, 'lenient')).toEqual([expected]);
    expect(said(file('name: a\n\n\n\tdescription: d'))[0]).toMatch(/^5 error Invalid YAML in frontmatter: /);
  });

  test.each(['- a\n- b', '', '# only a comment', 'text', '"text"'])(
    'case 24: no mapping: %j',
    (frontmatter) => {
      expect(said(file(frontmatter))).toEqual(['1 error SKILL.md frontmatter must be a YAML mapping']);
    },
  );

  test('a document end inside the frontmatter is no closing line', () => {
    expect(said(file('name: my-skill\ndescription: d\n...'))).toEqual([
      '4 error Invalid YAML in frontmatter: "..." ends the document, close the frontmatter with "---"',
    ]);
  });

  test('a key given twice is an error, and the first counts where that is allowed', () => {
    const text = file('name: my-skill\ndescription: d\nname: other');
    const message = 'Invalid YAML in frontmatter: Key "name" is given twice: in line 2 and in line 4';
    expect(said(text)).toEqual([`4 error ${message}`]);
    expect(said(text, 'lenient')).toEqual([`4 warning ${message}`]);
    expect(read(text, 'lenient').properties.name).toBe('my-skill');
  });

  test.each([
    ['Use this skill when: the user asks', 'Use this skill when: the user asks'],
    ['@x', '@x'],
    ['[beta] x', '[beta] x'],
    ['"PDF" handling', '"PDF" handling'],
    ['> 5 files: split', '> 5 files: split'],
    ['Use when: one\n  or: two', 'Use when: one or: two'],
  ])('case 27: description %j needs quotes, and is recovered whole', (written, recovered) => {
    const text = file(`name: my-skill\ndescription: ${written}\nlicense: MIT`);
    expect(said(text)[0]).toMatch(/^[34] error Invalid YAML in frontmatter: /);
    expect(said(text, 'lenient')).toEqual([
      '3 warning The value of "description" is no YAML without quotes: it is read as if it had them',
    ]);
    expect(read(text, 'lenient').properties).toEqual({
      name: 'my-skill',
      description: recovered,
      license: 'MIT',
    });
  });

  test.each(['"a --- b"', 'a --- b'])('case 28: %s is kept whole', (written) => {
    const reading = read(file(`name: my-skill\ndescription: ${written}`, 'x\n---\ny\n'));
    expect(reading.problems).toEqual([]);
    expect([reading.properties.description, reading.body]).toEqual(['a --- b', 'x\n---\ny\n']);
  });

  test.each([
    ['CRLF', '\r\n'],
    ['CR', '\r'],
    ['LF', '\n'],
  ] as const)('case 29: %s line breaks are kept', (_, lineBreak) => {
    const text = file('name: my-skill\ndescription: |\n  a\n  b', 'x\ny\n').replaceAll('\n', lineBreak);
    expect(read(text)).toMatchObject({
      lineBreak,
      body: `x${lineBreak}y${lineBreak}`,
      bodyLine: 7,
      properties: { description: 'a\nb' },
      problems: [],
    });
    const broken = file('name: my-skill\ndescription: d\nfoo: x').replaceAll('\n', lineBreak);
    expect(read(broken).problems.map(({ line, column }) => [line, column])).toEqual([[4, 6]]);
  });

  test('case 29: a byte order mark warns, and is an error by the letter', () => {
    const text = `\ufeff${named('my-skill')}`;
    const message = 'SKILL.md must start with YAML frontmatter (---): remove the byte order mark before it';
    expect(said(text, 'lenient')).toEqual([`1 warning ${message}`]);
    expect(said(text)).toEqual([`1 error ${message}`]);
  });

  test('case 29: blanks behind both lines, and the end of the file behind the closing one', () => {
    expect(read('--- \t\nname: my-skill\ndescription: d\n---  ')).toMatchObject({ problems: [], body: '' });
  });

  test.each([
    ['description: {a: b}', 'brackets'],
    ['description: d\nlicense: &a MIT', 'an anchor'],
    ['description: !!str d', 'a tag'],
  ])('%s is read, and not portable', (fields, what) => {
    expect(said(file(`name: my-skill\n${fields}`))[0]).toContain(
      `warning Other clients may refuse YAML with ${what}`,
    );
  });

  test.each([
    ['invalid UTF-8', [0x2d, 0x2d, 0x2d, 0x0a, 0xff], 'Cannot read SKILL.md: it is not UTF-8 text'],
    ['UTF-16', [0xff, 0xfe, 0x2d, 0x00, 0x2d, 0x00], 'Cannot read SKILL.md: it is not UTF-8 text'],
    ['more than 1 MiB', new Uint8Array(1024 * 1024 + 1), 'Cannot read SKILL.md: it is larger than 1 MiB'],
  ])('%s is told, not thrown', (_, bytes, message) => {
    const reading = readSkillFile(Uint8Array.from(bytes), { directoryName: 'a', profile: 'lenient' });
    expect(reading).toMatchObject({
      isUsable: false,
      fields: [],
      problems: [{ severity: 'error', message }],
    });
  });
});

test.each([
  ['argument-hint: [analyze|all] <source> [--force]', '[analyze|all] <source> [--force]'],
  ['argument-hint: [--input=a/b] [--restart]', '[--input=a/b] [--restart]'],
  [
    'metadata: {"openclaw":{"emoji":"🤖","requires":{"bins":["jq"]}}}',
    { openclaw: { emoji: '🤖', requires: { bins: ['jq'] } } },
  ],
  ['tags: [a, "b c"]', ['a', 'b c']],
  ['allowed-tools: []', []],
  ['allowed-tools: Bash(git:*), Read', 'Bash(git:*), Read'],
  ['version: 1.10', '1.10'],
  ['hooks:\n  PreToolUse:\n    - matcher: "*"', { PreToolUse: [{ matcher: '*' }] }],
  ["x: Trigger phrases: 'one', 'what's two'", "Trigger phrases: 'one', 'what's two'"],
])('what people write beside name and description loads and is kept: %s', (line, value) => {
  const reading = read(file(`name: my-skill\ndescription: Does it.\n${line}`), 'lenient');
  expect([reading.isUsable, reading.properties.description]).toEqual([true, 'Does it.']);
  expect(reading.fields.at(-1)?.value).toEqual(value);
});
