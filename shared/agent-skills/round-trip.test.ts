import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { given } from '../lens/read/given.ts';
import type { Skill } from '../model/skill.ts';
import { scriptLanguages, trustLevels } from '../model/skill.ts';
import { toLensSkill, toNewSkill } from './lens-skill.ts';
import { readSkillText } from './read-skill.ts';
import { renameInFrontmatter } from './rename-skill.ts';
import { writeSkill } from './write-skill.ts';

const at = { file: 'SKILL.md', line: 1, column: 1, endLine: 1, endColumn: 1 };
const placed = { at, path: [] };

/** Everything that a skill says, without where it says it. */
function content(value: unknown): unknown {
  return JSON.parse(
    JSON.stringify(value, (key, part: unknown) => (key === 'at' || key === 'path' ? undefined : part)),
  );
}

const text = fc.string({ unit: 'binary', maxLength: 30 });
const words = fc.array(text, { maxLength: 3 });
const name = fc.stringMatching(/^[a-z][a-z0-9]{0,8}(-[a-z0-9]{1,8}){0,3}$/);
const fileName = fc.stringMatching(/^[a-z]{1,8}\.(py|js|sh)$/);
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined });
const json = fc.letrec<{ value: unknown }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 2 },
    fc.oneof(text, fc.integer(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 2 }),
    fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), tie('value'), { maxKeys: 2, noNullPrototype: true }),
  ),
})).value;
const tree = fc.dictionary(fc.stringMatching(/^[a-z]{1,5}$/), json, { maxKeys: 3, noNullPrototype: true });

const lensSkill: fc.Arbitrary<Skill> = fc
  .record({
    name,
    description: fc.string({ unit: 'binary', minLength: 1, maxLength: 300 }).filter((d) => d.trim() !== ''),
    type: fc.constant('inline' as const),
    instructions: maybe(fc.string({ unit: 'binary', maxLength: 200 })),
    scripts: maybe(
      fc.array(
        fc
          .record({
            name: fileName,
            language: fc.constantFrom(...scriptLanguages),
            content: text,
            args: words,
          })
          .map((script) => ({ ...script, ...placed })),
        { maxLength: 2 },
      ),
    ),
    templates: maybe(
      fc.array(
        fc.record({ name: text, content: text }).map((part) => ({ ...part, ...placed })),
        { maxLength: 2 },
      ),
    ),
    resources: maybe(
      fc.array(
        fc.record({ name: text, url: text }).map((part) => ({ ...part, ...placed })),
        { maxLength: 2 },
      ),
    ),
    triggers: maybe(words),
    compatibility: maybe(text.filter((t) => t.trim() !== '')),
    allowedTools: maybe(
      fc.array(fc.oneof(text, fc.constantFrom('Read', 'Bash(git log:*)', 'Bash(jq:*)')), { maxLength: 3 }),
    ),
    preset: maybe(text),
    permissions: maybe(tree),
    security: maybe(tree),
    parametersSchema: maybe(tree),
    trust: maybe(fc.constantFrom(...trustLevels)),
    timeoutSeconds: maybe(fc.integer({ min: 1, max: 300 })),
    override: maybe(fc.boolean()),
    validateWith: maybe(
      fc.record({ validators: words, personas: words, minConfidence: fc.constantFrom(0, 0.7, 1) }),
    ),
    dependsOn: maybe(
      fc.array(
        name.map((text) => ({ text, reference: { name: text }, ...placed })),
        { maxLength: 3 },
      ),
    ),
    produces: maybe(words.map((keys) => keys.map((key) => ({ key, ...placed })))),
    requires: maybe(words.map((keys) => keys.map((key) => ({ key, ...placed })))),
    files: maybe(words),
    cache: maybe(fc.boolean()),
    enabled: maybe(fc.oneof(fc.record({ env: text }), fc.record({ param: text, equals: text }))),
    extra: maybe(tree),
    at: fc.constant(at),
    path: fc.constant([]),
  })
  .map((skill) => given(skill));

test('a skill of a lens comes back deep-equal from the SKILL.md that is written for it', () => {
  fc.assert(
    fc.property(lensSkill, fc.constantFrom('', '## Verification\n\n- [ ] it works\n'), (skill, sections) => {
      const paths = {
        scripts: (skill.scripts ?? []).map((_, index) => `scripts/${index}.py`),
        templates: (skill.templates ?? []).map((_, index) => `assets/${index}.txt`),
        resources: (skill.resources ?? []).map(() => undefined),
      };
      const texts = new Map<string, string>();
      skill.scripts?.forEach((script, index) => texts.set(paths.scripts[index]!, script.content!));
      skill.templates?.forEach((template, index) => texts.set(paths.templates[index]!, template.content));
      const written = writeSkill(toNewSkill(skill, { paths, sections }));
      const reading = readSkillText(written, { directoryName: skill.name, profile: 'strict' });
      expect(reading.problems).toEqual([]);
      expect(content(toLensSkill(reading, { file: 'SKILL.md', texts }))).toEqual(content(skill));
    }),
    { numRuns: 500 },
  );
});

test('writeSkill() writes exactly what readSkillText() reads, without any problem', () => {
  const properties = fc
    .record({
      name,
      description: fc
        .string({ unit: 'binary', minLength: 1, maxLength: 1024 })
        .filter((d) => d.trim() !== ''),
      license: maybe(fc.string({ unit: 'binary' })),
      compatibility: maybe(fc.string({ unit: 'binary', minLength: 1 }).filter((d) => d.trim() !== '')),
      allowedTools: maybe(fc.string({ unit: 'binary' })),
      metadata: maybe(
        fc.dictionary(
          fc
            .string({ unit: 'binary' })
            .filter((key) => !['__proto__', 'constructor', 'prototype', '<<'].includes(key)),
          fc.string({ unit: 'binary' }),
          { minKeys: 1, maxKeys: 4, noNullPrototype: true },
        ),
      ),
    })
    .map((record) => given(record));
  const lineBreak = fc.constantFrom('\n' as const, '\r\n' as const, '\r' as const);
  fc.assert(
    fc.property(properties, fc.string({ unit: 'binary' }), lineBreak, (skill, body, eol) => {
      // Behind a closing line that ends in "\r" a line feed would belong to that line break.
      const text = eol === '\r' ? body.replace(/^\n+/, '') : body;
      const written = writeSkill({ ...skill, body: text, lineBreak: eol });
      const reading = readSkillText(written, { directoryName: skill.name, profile: 'strict' });
      expect({ ...reading, fields: undefined, text: undefined }).toMatchObject({
        properties: { ...skill, description: skill.description.trim() },
        body: text,
        lineBreak: eol,
        problems: [],
        isUsable: true,
      });
      expect(reading.fields.find(({ key }) => key === 'description')?.value).toBe(skill.description);
    }),
    { numRuns: 1000 },
  );
});

describe('renameInFrontmatter()', () => {
  test.each([
    [
      'plain',
      '---\nname: old # why\ndescription: d\n---\nname: old\n',
      '---\nname: new # why\ndescription: d\n---\nname: old\n',
    ],
    [
      'quoted, CRLF',
      '---\r\nname: "old"\r\ndescription: d\r\n---\r\nx',
      '---\r\nname: new\r\ndescription: d\r\n---\r\nx',
    ],
    ['CR', '---\rdescription: d\rname: old\r---\rx', '---\rdescription: d\rname: new\r---\rx'],
    ['BOM', '\ufeff---\nname: old\ndescription: d\n---\n', '\ufeff---\nname: new\ndescription: d\n---\n'],
    ['block scalar', '---\nname: |-\n  old\ndescription: d\n---\n', '---\nname: new\ndescription: d\n---\n'],
    ['no value', '---\nname:\ndescription: d\n---\n', '---\nname: new\ndescription: d\n---\n'],
    ['empty quotes', '---\nname: ""\ndescription: d\n---\n', '---\nname: new\ndescription: d\n---\n'],
    ['no name', '---\ndescription: d\n---\n', '---\nname: new\ndescription: d\n---\n'],
    [
      'needing quotes',
      '---\nname: [x] y\ndescription: when: d\n---\n',
      '---\nname: new\ndescription: when: d\n---\n',
    ],
    [
      'first of two',
      '---\nname: a\nname: b\ndescription: d\n---\n',
      '---\nname: new\nname: b\ndescription: d\n---\n',
    ],
    ['a list', '---\nname:\n  - a\ndescription: d\n---\n', '---\nname:\n  new\ndescription: d\n---\n'],
    ['no frontmatter', '# Hi\n', undefined],
  ])('%s', (_, text, expected) => {
    expect(renameInFrontmatter(text, 'new')).toBe(expected);
  });

  test('quotes a name that YAML would take for a number', () => {
    expect(renameInFrontmatter('---\nname: a\ndescription: d\n---\n', '123')).toBe(
      '---\nname: "123"\ndescription: d\n---\n',
    );
  });
});

describe('writeSkill() refuses what cannot be said in a SKILL.md', () => {
  const good = { name: 'a', description: 'd', body: '' };
  test.each([
    [
      'a name beyond ASCII',
      { ...good, name: 'é' },
      'the name must have up to 64 letters a to z, digits and single hyphens',
    ],
    [
      'a name of 65 characters',
      { ...good, name: 'a'.repeat(65) },
      'the name must have up to 64 letters a to z, digits and single hyphens',
    ],
    ['a blank description', { ...good, description: ' \n' }, 'it has no description'],
    [
      'a long description',
      { ...good, description: 'd'.repeat(1025) },
      'the description has more than 1024 characters',
    ],
    [
      'an empty compatibility',
      { ...good, compatibility: '' },
      '"compatibility" must have 1 to 500 characters',
    ],
  ])('%s', (_, skill, problem) => {
    expect(() => writeSkill(skill)).toThrow(`Cannot write skill "${skill.name}": ${problem}`);
  });
});
