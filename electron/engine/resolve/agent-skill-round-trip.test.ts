import { chmod, mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { stringify } from 'yaml';
import type { FileId } from '#shared/model/workspace.ts';
import { exportJudgment, exportSkills } from '../agent-skills/export-skills.ts';
import { importSkill, planImport } from '../agent-skills/import-skill.ts';
import { contentOf, pathsIn } from '../agent-skills/testing/skill-rig.ts';
import { executeWrite, planWrite } from '../agent-skills/write-trees.ts';
import { readSkillFile } from '#shared/agent-skills/read-skill.ts';
import { definitionRecord } from './definition-record.ts';
import type { Resolution } from './resolve.ts';
import { problems, ResolveRig } from './testing/resolve-rig.ts';

const rig = new ResolveRig();
afterAll(() => rig[Symbol.asyncDispose]());

const lens = 'lenses/a.lens' as FileId;
const head = '# A lens with a comment\nmetadata:\n  name: A   # kept\n  version: 1.0.0\n';

interface FolderFile {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly mode: number;
}

const text = fc.string({ unit: 'grapheme', maxLength: 30 });
const word = fc.stringMatching(/^[a-z][a-z0-9]{0,8}(-[a-z0-9]{1,8}){0,2}$/);
const lineBreak = fc.constantFrom('\n', '\r\n');

/** A SKILL.md with any of the fields, known and unknown, in either line break, and rules in its body. */
const skillMd = fc
  .record({
    name: word,
    description: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 60 }).map((t) => `d ${t}`),
    more: fc.subarray([
      'license: Apache-2.0',
      'compatibility: needs git',
      'allowed-tools: Bash(git log:*) Read',
      'metadata:\n  version: 1.0\n  author: "é"',
      'model: opus # a comment',
      'hooks: { PreToolUse: [x] }',
    ]),
    body: fc.array(fc.oneof(text, fc.constantFrom('---', '# Title', '', '```', 'a --- b')), { maxLength: 6 }),
    lineBreak,
    isClosedAtEnd: fc.boolean(),
  })
  .map(({ name, description, more, body, lineBreak: end, isClosedAtEnd }) => {
    const lines = ['---', `name: ${name}`, `description: ${JSON.stringify(description)}`, ...more, '---'];
    const whole = isClosedAtEnd ? lines : [...lines, ...body, ''];
    return { name, content: whole.join('\n').replaceAll('\n', end) };
  });

const folder = fc.record({
  skill: skillMd,
  mode: fc.constantFrom(0o644, 0o600, 0o755),
  files: fc.uniqueArray(
    fc.record({
      path: fc
        .array(fc.stringMatching(/^[A-Za-z0-9é技._-]{1,12}$/), { minLength: 1, maxLength: 4 })
        .map((parts) => parts.map((part) => `f${part}`).join('/')),
      bytes: fc.uint8Array({ maxLength: 200 }),
      mode: fc.constantFrom(0o644, 0o755, 0o600, 0o775, 0o444),
    }),
    { maxLength: 6, selector: ({ path }) => path.split('/')[0]!.normalize('NFC').toLowerCase() },
  ),
});

async function writeFiles(root: string, files: readonly FolderFile[]): Promise<void> {
  for (const { path, bytes, mode } of files) {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), bytes);
    await chmod(join(root, path), mode);
  }
}

async function exported(resolution: Resolution): Promise<string> {
  const out = await rig.world.makeFolder();
  await executeWrite(await planWrite(out, await exportSkills(resolution)));
  return out;
}

test('200 skill folders: import, then export, gives the same bytes and modes', async () => {
  await fc.assert(
    fc.asyncProperty(folder, async ({ skill, mode, files }) => {
      const source = await rig.world.makeFolder();
      const place = join(source, skill.name);
      await writeFiles(place, [{ path: 'SKILL.md', bytes: Buffer.from(skill.content), mode }, ...files]);
      const root = await rig.world.makeWorkspace({ [lens]: head });
      const plan = await planImport({ root, lens, source: { kind: 'path', path: place } });
      await importSkill(plan);
      const resolution = await rig.resolveIn(root, lens);
      expect(resolution.skills.map(({ name, kind }) => [name, kind])).toEqual([[skill.name, 'agent-skill']]);
      expect(await contentOf(join(await exported(resolution), skill.name))).toEqual(await contentOf(place));
    }),
    { numRuns: 200 },
  );
});

const plainJson = fc.dictionary(
  word,
  fc.oneof(text, fc.integer(), fc.boolean(), fc.array(text, { maxLength: 2 })),
  {
    maxKeys: 3,
    noNullPrototype: true,
  },
);
const texts = fc.array(text, { maxLength: 3 });
const maybe = <T>(value: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> =>
  fc.option(value, { nil: undefined });
const scripts = fc.array(
  fc.record({
    name: fc.stringMatching(/^[a-z]{1,6}\.(py|sh|mjs)$/),
    content: fc.string({ unit: 'grapheme', maxLength: 80 }),
    args: texts,
    description: text,
  }),
  { minLength: 1, maxLength: 3 },
);

/** A skill as it is written in a lens, with every field that a run looks at. */
const entry = fc.record({
  description: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }).map((t) => `d${t}`),
  instructions: fc.oneof(
    fc.string({ unit: 'grapheme', maxLength: 200 }),
    fc.constantFrom(
      'line\n\n---\n\n# x\n',
      '\n\n  indented\n',
      '<!-- sunwell: what follows was made from the lens -->\nx',
    ),
  ),
  scripts: maybe(scripts),
  templates: maybe(fc.array(fc.record({ name: text, content: text }), { maxLength: 2 })),
  resources: maybe(
    fc.array(
      fc.oneof(
        fc.record({ name: text, url: fc.webUrl() }),
        fc.record({ name: text, path: fc.constantFrom('../shared/guide.md', '../shared/deep/guide.md') }),
      ),
      { maxLength: 3 },
    ),
  ),
  triggers: maybe(texts),
  compatibility: maybe(text.map((t) => `c${t}`)),
  allowed_tools: maybe(fc.array(fc.constantFrom('Read', 'Bash(git log:*)', 'Bash(jq:*)'), { maxLength: 3 })),
  permissions: maybe(plainJson),
  security: maybe(plainJson),
  parameters_schema: maybe(plainJson),
  trust: maybe(fc.constantFrom('full', 'sandboxed', 'none')),
  timeout: maybe(fc.integer({ min: 1, max: 300 })),
  validate_with: maybe(
    fc.record({ validators: fc.constant(['Clear']), min_confidence: fc.constantFrom(0, 0.5, 1) }),
  ),
  produces: maybe(fc.array(word, { maxLength: 2 })),
  requires: maybe(fc.array(word, { maxLength: 2 })),
  files: maybe(texts),
  cache: maybe(fc.boolean()),
});

/** Everything that a skill is defined by; dependencies by their names, because the files are others. */
function definitions({ skills }: Resolution): unknown[] {
  const nameOf = new Map(skills.map(({ id, name }) => [id, name]));
  return [...skills]
    .sort((a, b) => (a.name < b.name ? -1 : 1))
    .map((node) => ({
      ...definitionRecord(node),
      dependsOn: node.dependsOn.map(({ id }) => nameOf.get(id)),
      security: node.skill.security ?? null,
    }));
}

const judgment = {
  heuristics: [
    { name: 'Signal over noise', rule: 'Every sentence informs', always: ['cut'], never: ['pad'] },
  ],
  validators: { heuristic: [{ name: 'Clear', prompt: 'Is it clear?' }] },
  personas: [{ name: 'novice', background: 'Knows nothing', goals: ['learn'] }],
};

test('200 skills of lenses: export, then import, gives deep-equal skills with graph, templates, scripts and trust', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(word, { minLength: 3, maxLength: 3 }),
      fc.array(entry, { minLength: 3, maxLength: 3 }),
      async (names, entries) => {
        const skills = names.map((name, i) => ({
          name,
          ...(JSON.parse(JSON.stringify(entries[i])) as object),
          ...(i > 0 ? { depends_on: [names[i - 1]] } : {}),
        }));
        const first = await rig.resolve({
          [lens]: stringify({ metadata: { name: 'A', version: '1.0.0' }, ...judgment, skills }),
          'shared/guide.md': '# Guide\r\n',
          'shared/deep/guide.md': 'Deep 技能\n',
        });
        const folders = await exported(first);
        const root = await rig.world.makeWorkspace({
          [lens]: stringify({ metadata: { name: 'B', version: '1.0.0' }, ...judgment }),
        });
        for (const name of names) {
          const { files } = (await exportSkills(first)).find((tree) => tree.name === name)!.tree;
          const reading = readSkillFile(files.find(({ path }) => path === 'SKILL.md')!.bytes, {
            directoryName: name,
            profile: 'strict',
          });
          expect(reading.problems).toEqual([]);
          await importSkill(
            await planImport({ root, lens, source: { kind: 'path', path: join(folders, name) } }),
          );
        }
        const second = await rig.resolveIn(root, lens);
        expect(definitions(second)).toEqual(definitions(first));
      },
    ),
    { numRuns: 67 },
  );
});

test('an exported skill has the lens’s judgment in its body, its files in their folders, and its graph in metadata', async () => {
  const resolution = await rig.resolve({
    [lens]: stringify({
      metadata: { name: 'Tech Writer', version: '1.0.0', license: 'MIT' },
      ...judgment,
      skills: [
        { name: 'read', description: 'Reads', instructions: 'Read it.' },
        {
          name: 'write',
          description: 'Writes. Use it for pages',
          instructions: 'Write it.',
          depends_on: ['read', './team.skills.yaml:list', 'sunwell/common:list-files'],
          scripts: [{ name: 'check.py', content: 'print(1)\n' }],
          templates: [{ name: 'Page', content: '# ${title}\n' }],
          resources: [
            { name: 'Guide', path: '../shared/guide.md' },
            { name: 'Site', url: 'https://example.org/a b' },
          ],
        },
      ],
    }),
    'lenses/team.skills.yaml': 'skills: [{ name: list, description: Lists, instructions: i }]\n',
    'shared/guide.md': '# Guide\n',
  });
  const out = await exported(resolution);
  expect(await pathsIn(out)).toEqual([
    'list-files/SKILL.md',
    'list-files/scripts/list-files.py',
    'list/SKILL.md',
    'read/SKILL.md',
    'write/SKILL.md',
    'write/assets/Page',
    'write/references/guide.md',
    'write/scripts/check.py',
  ]);
  expect(await rig.world.readFile(out, 'write/SKILL.md')).toMatchInlineSnapshot(`
    "---
    name: write
    description: Writes. Use it for pages
    metadata:
      sunwell: '{"depends_on":["read","list","sunwell/common:list-files"],"scripts":[{"name":"check.py","language":"python","path":"scripts/check.py"}],"templates":[{"name":"Page","path":"assets/Page"}],"resources":[{"name":"Guide","path":"references/guide.md"},{"name":"Site","url":"https://example.org/a b"}]}'
    ---

    Write it.

    <!-- sunwell: what follows was made from the lens -->

    ## Instructions

    ### Signal over noise

    Every sentence informs

    Always:

    - cut

    Never:

    - pad

    ## Verification

    - [ ] Clear: Is it clear?

    ## User Contexts

    ### novice

    Knows nothing

    Goals:

    - learn

    ## Resources

    - [check.py](scripts/check.py)
    - [Page](assets/Page)
    - [Guide](references/guide.md)
    - [Site](<https://example.org/a b>)
    "
  `);
  expect(new TextDecoder().decode(exportJudgment(resolution, [])!.tree.files[0]!.bytes))
    .toMatchInlineSnapshot(`
    "---
    name: tech-writer
    description: 'Judges work as the lens "Tech Writer" does. Use it to write or review in that manner.'
    license: MIT
    ---

    # Tech Writer

    ## Instructions

    ### Signal over noise

    Every sentence informs

    Always:

    - cut

    Never:

    - pad

    ## Verification

    - [ ] Clear: Is it clear?

    ## User Contexts

    ### novice

    Knows nothing

    Goals:

    - learn
    "
  `);
});

test('a local skill with fields laid over it is exported with them, and keeps its other files', async () => {
  const root = await rig.world.makeWorkspace({
    [lens]: `${head}skills:\n  - { name: pdf, type: local, path: ./skills/pdf, description: Ours, produces: [text] }\n`,
    'lenses/skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Theirs\nlicense: MIT\n---\n# Steps\n',
    'lenses/skills/pdf/assets/a.txt': 'a',
  });
  const resolution = await rig.resolveIn(root, lens);
  expect(problems(resolution)).toEqual([]);
  const out = await exported(resolution);
  expect(await pathsIn(out)).toEqual(['pdf/SKILL.md', 'pdf/assets/a.txt']);
  expect(await rig.world.readFile(out, 'pdf/SKILL.md')).toBe(
    `---\nname: pdf\ndescription: Ours\nlicense: MIT\nmetadata:\n  sunwell: '{"produces":["text"]}'\n---\n\n# Steps\n`,
  );
});

test('two skills of one name cannot be exported together, and both are named', async () => {
  const resolution = await rig.resolve({
    'a.lens': `${head}skills:\n  - { name: x, description: d, instructions: i, depends_on: ["./l.skills.yaml:x"] }\n`,
    'l.skills.yaml': 'skills: [{ name: x, description: d, instructions: i }]\n',
  });
  await expect(exportSkills(resolution)).rejects.toMatchObject({
    reason: 'duplicate',
    message: 'Duplicate skill name "x": "a.lens:x" and "l.skills.yaml:x" both have it',
  });
});

test('a skill whose script cannot be read is not exported without it', async () => {
  const resolution = await rig.resolve({
    'a.lens': `${head}skills:\n  - { name: x, description: d, scripts: [{ name: a.py, path: none.py }] }\n`,
  });
  await expect(exportSkills(resolution)).rejects.toMatchObject({ code: 'skill.incomplete' });
});
