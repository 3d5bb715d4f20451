import { isDeepStrictEqual } from 'node:util';
import { afterAll, expect, test } from 'vitest';
import { z } from 'zod';
import { Fingerprint } from '#shared/model/fingerprint.ts';
import { ResolveRig } from '../resolve/testing/resolve-rig.ts';
import { digestOf, valueDigest } from '../store/digest.ts';
import { compareFingerprints } from './compare-fingerprints.ts';
import { fileListOf, parseFileList } from './file-list.ts';
import { cacheKey, fingerprintOf, type FingerprintParts } from './fingerprint.ts';

const rig = new ResolveRig();
afterAll(() => rig[Symbol.asyncDispose]());

const digest = digestOf('one');
const other = digestOf('another');

const base: Fingerprint = {
  engine: 1,
  definition: {
    instructions: digest,
    scripts: [
      { name: 'a.py', language: 'python', args: ['-v'], content: digest },
      { name: 'b.sh', language: 'bash', args: [], content: digest },
    ],
    templates: [{ name: 't', content: digest }],
    resources: [{ name: 'r', file: 'r.md', url: null, content: digest }],
    parameters: digest,
    tools: ['read'],
    permissions: digest,
    produces: ['out'],
    requires: ['in'],
    files: ['docs/**'],
  },
  trust: 'sandboxed',
  limits: { timeoutMs: 30_000 },
  interpreters: { python: '3.13.5' },
  inputs: { in: digest },
  params: { level: digest },
  upstream: { 'a:b': digest },
  files: digest,
  task: digest,
  model: { provider: 'p', id: 'm', parameters: { temperature: 0 } },
  lens: digest,
};

const { definition } = base;
const [first, second] = definition.scripts;
const [template] = definition.templates;
const [resource] = definition.resources;

/** Every field by its path in the schema, with one change of it alone and the reason a plan gives. */
const changes: Record<string, { readonly to: unknown; readonly reason: string }> = {
  engine: { to: 2, reason: 'definition-changed' },
  'definition.instructions': { to: other, reason: 'instructions-changed' },
  'definition.scripts.name': { to: [{ ...first, name: 'c.py' }, second], reason: 'script-changed' },
  'definition.scripts.language': { to: [{ ...first, language: 'node' }, second], reason: 'script-changed' },
  'definition.scripts.args': { to: [{ ...first, args: ['-q'] }, second], reason: 'script-changed' },
  'definition.scripts.content': { to: [{ ...first, content: other }, second], reason: 'script-changed' },
  'definition.scripts': { to: [second, first], reason: 'script-changed' },
  'definition.templates': { to: [], reason: 'template-changed' },
  'definition.templates.name': { to: [{ ...template, name: 'u' }], reason: 'template-changed' },
  'definition.templates.content': { to: [{ ...template, content: other }], reason: 'template-changed' },
  'definition.resources': { to: [resource, resource], reason: 'resource-changed' },
  'definition.resources.name': { to: [{ ...resource, name: 's' }], reason: 'resource-changed' },
  'definition.resources.file': { to: [{ ...resource, file: 's.md' }], reason: 'resource-changed' },
  'definition.resources.url': { to: [{ ...resource, url: 'https://a.example' }], reason: 'resource-changed' },
  'definition.resources.content': { to: [{ ...resource, content: other }], reason: 'resource-changed' },
  'definition.parameters': { to: null, reason: 'definition-changed' },
  'definition.tools': { to: ['read', 'write'], reason: 'definition-changed' },
  'definition.permissions': { to: other, reason: 'definition-changed' },
  'definition.produces': { to: ['out', 'more'], reason: 'definition-changed' },
  'definition.requires': { to: [], reason: 'definition-changed' },
  'definition.files': { to: null, reason: 'definition-changed' },
  trust: { to: 'full', reason: 'trust-changed' },
  limits: { to: { timeoutMs: 60_000 }, reason: 'definition-changed' },
  interpreters: { to: { python: '3.14.0' }, reason: 'interpreter-changed' },
  inputs: { to: {}, reason: 'input-changed' },
  params: { to: { level: other }, reason: 'input-changed' },
  upstream: { to: { 'a:b': other }, reason: 'upstream-changed' },
  files: { to: other, reason: 'file-changed' },
  task: { to: null, reason: 'task-changed' },
  model: { to: { provider: 'p', id: 'm', parameters: { temperature: 1 } }, reason: 'model-changed' },
  lens: { to: other, reason: 'lens-changed' },
};

test('every field of the schema has a change in this test', () => {
  expect(Object.keys(changes).sort()).toEqual(fieldsOf(Fingerprint).sort());
});

test.each(Object.entries(changes))(
  'changing %s alone gives another key and its own reason',
  (path, { to, reason }) => {
    const changed = Fingerprint.parse(withChange(path, to));
    expect(cacheKey(changed)).not.toBe(cacheKey(base));
    const reasons = new Set(compareFingerprints(base, changed).map((difference) => difference.reason));
    expect([...reasons]).toEqual([reason]);
    expect(new Set(compareFingerprints(changed, base).map((difference) => difference.reason))).toEqual(
      reasons,
    );
  },
);

test('a record with its keys in another order has the same key and no differences', () => {
  const turned = Object.fromEntries(Object.entries(base).toReversed()) as Fingerprint;
  expect(cacheKey(turned)).toBe(cacheKey(base));
  expect(compareFingerprints(base, turned)).toEqual([]);
  expect(Fingerprint.parse(base)).toEqual(base);
});

test('parts that read the same when they are joined have different keys', () => {
  const pairs: [unknown, unknown][] = [
    [
      ['lint', 'er: do X'],
      ['linter', ': do X'],
    ],
    [{ scripts: ['a', 'b'] }, { scripts: ['ab'] }],
    [{ script: 'x' }, { template: 'x' }],
    [
      { a: '1', b: '' },
      { a: '', b: '1' },
    ],
    [{}, { a: null }],
    [{ a: '' }, {}],
    ['1', 1],
    [[['a'], []], [['a']]],
    ['"', '\\"'],
  ];
  for (const [a, b] of pairs) expect(valueDigest(a)).not.toBe(valueDigest(b));
});

test('of a million random records only equal ones share a key', () => {
  let state = 1;
  const random = (below: number) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) | 0;
    return Math.floor(((state >>> 0) / 2 ** 32) * below);
  };
  // Few letters and many ways to cut them: the worst case for a hash of joined parts.
  const letters = ['', 'a', 'b', 'ab', '"', ',', ':', 'a:b', '[]', '\\'];
  const word = () => letters[random(10)]! + letters[random(10)]!;
  const texts = new Map<string, string>();
  let asked = 0;
  for (; asked < 1_000_000; asked++) {
    const record = { [word()]: word(), [word()]: [word(), asked % 1000] };
    const key = valueDigest(record);
    const text = JSON.stringify(record);
    const before = texts.get(key);
    if (before === undefined) texts.set(key, text);
    else if (!isDeepStrictEqual(JSON.parse(before), JSON.parse(text)))
      expect.fail(`${before} and ${text} share a key`);
    if (texts.size > 200_000) texts.clear();
  }
  expect(asked).toBe(1_000_000);
}, 180_000);

test('compareFingerprints() names each changed file, up to a limit', () => {
  const files = (count: number, text: string) =>
    new Map(
      Array.from({ length: count }, (_, i) => [`f${String(i).padStart(2, '0')}`, digestOf(`${text}${i}`)]),
    );
  const [before, after] = [
    new Map([
      ['gone', digest],
      ['same', digest],
      ['x', digest],
    ]),
    new Map([
      ['new', digest],
      ['same', digest],
      ['x', other],
    ]),
  ];
  const record = (list: ReadonlyMap<string, string>) => ({ ...base, files: fileListOf(list).digest });
  expect(
    compareFingerprints(record(before), record(after), { filesBefore: before, filesAfter: after }),
  ).toEqual([
    { reason: 'file-changed', subject: 'gone', before: digest },
    { reason: 'file-changed', subject: 'new', after: digest },
    { reason: 'file-changed', subject: 'x', before: digest, after: other },
  ]);
  const [many, others] = [files(32, 'a'), files(32, 'b')];
  const differences = compareFingerprints(record(many), record(others), {
    filesBefore: many,
    filesAfter: others,
  });
  expect([differences.length, differences.at(-1)]).toEqual([
    21,
    { reason: 'file-changed', subject: 'and 12 more' },
  ]);
  expect(parseFileList(fileListOf(many).text)).toEqual(many);
  expect([parseFileList('no list'), parseFileList('[1]')]).toEqual([undefined, undefined]);
});

const lens = (skill: string, version = '1.0.0') =>
  `metadata: { name: A, version: ${version} }\nskills:\n  - ${skill}\n`;

/** The key of the one skill of a lens. */
async function keyOf(text: string, changed: Partial<FingerprintParts> = {}, folder = ''): Promise<string> {
  const { skills } = await rig.resolve({ [`${folder}a.lens`]: text });
  return cacheKey(
    fingerprintOf({
      node: skills[0]!,
      trust: 'sandboxed',
      limits: { timeoutMs: 30_000 },
      interpreters: new Map([
        ['bash', '5.2'],
        ['node', '20.1'],
      ]),
      inputs: {},
      params: {},
      upstream: {},
      files: new Map(),
      now: new Date('2026-01-01T10:00:00Z'),
      ...changed,
    }),
  );
}

const skill = (more = '', name = 'a', content = 'echo 1') =>
  `{ name: ${name}, description: d, scripts: [{ name: a.sh, content: "${content}"${more} }] }`;

test('fingerprintOf() leaves out where the workspace lies, names, words for people and the version of the lens', async () => {
  const key = await keyOf(lens(skill()));
  expect([
    await keyOf(lens(skill(), '2.0.0')),
    await keyOf(lens(skill('', 'b'))),
    await keyOf(lens(skill().replace('description: d', 'description: other, triggers: [x]'))),
    await keyOf(lens(skill()), {}, 'lenses/'),
    await keyOf(lens(skill()), {
      interpreters: new Map([
        ['bash', '5.2'],
        ['node', '22.0'],
      ]),
    }),
    await keyOf(lens(skill()), { now: new Date('2027-01-01') }),
  ]).toEqual(Array.from({ length: 6 }, () => key));
  expect(await keyOf(lens(skill('', 'a', 'echo 2')))).not.toBe(key);
  expect(await keyOf(lens(skill()), { task: '' })).not.toBe(key);
});

test('fingerprintOf() takes in the date and the time where an argument asks for them', async () => {
  const dated = lens(skill(', args: ["${DATE}"]'));
  const timed = lens(skill(', args: ["${TIMESTAMP}"]'));
  const [morning, evening, tomorrow] = ['2026-01-01T08:00Z', '2026-01-01T20:00Z', '2026-01-02T08:00Z'].map(
    (text) => ({ now: new Date(text) }),
  );
  expect(await keyOf(dated, morning)).toBe(await keyOf(dated, evening));
  expect(await keyOf(dated, morning)).not.toBe(await keyOf(dated, tomorrow));
  expect(await keyOf(timed, morning)).not.toBe(await keyOf(timed, evening));
  const named = lens(skill(', args: ["${name}"]'));
  expect(await keyOf(named)).not.toBe(await keyOf(lens(skill(', args: ["${name}"]', 'b'))));
});

test('fingerprintOf() tells a folder whose name looks like a placeholder from a placeholder', async () => {
  const given = lens(
    '{ name: a, description: d, requires: [k], scripts: [{ name: a.sh, content: x, args: ["ARG"] }] }',
  );
  const keys = [
    await keyOf(
      given.replace('ARG', () => '${LENS_DIR}'),
      {},
      'd/${k}/',
    ),
    await keyOf(
      given.replace('ARG', () => '/workspace/d/${k}'),
      {},
      'e/',
    ),
    await keyOf(
      given.replace('ARG', () => '${LENS_DIR}{k}'),
      {},
      'd$/',
    ),
    await keyOf(
      given.replace('ARG', () => '/workspace/d${k}'),
      {},
      'e/',
    ),
  ];
  expect(new Set(keys).size).toBe(4);
});

/** Paths of all fields of a record, and of the items of its lists. */
function fieldsOf(schema: z.ZodObject, path = ''): string[] {
  return Object.entries(schema.shape).flatMap(([name, part]) => {
    const inner: unknown = part instanceof z.ZodArray ? part.element : part;
    const here = `${path}${name}`;
    if (!(inner instanceof z.ZodObject)) return [here];
    const below = fieldsOf(inner, `${here}.`);
    return part instanceof z.ZodArray ? [here, ...below] : below;
  });
}

/** The base with one field changed; the items of a list are given whole. */
function withChange(path: string, to: unknown): unknown {
  const [top, part] = path.split('.') as [string, string | undefined];
  if (part === undefined) return { ...base, [top]: to };
  return { ...base, definition: { ...definition, [part]: to } };
}
