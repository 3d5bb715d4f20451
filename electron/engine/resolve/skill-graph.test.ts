import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { StudioError } from '#shared/errors.ts';
import { applyEdits } from '#shared/lens/edit/text-lines.ts';
import { problems, ResolveRig, waveNames } from './testing/resolve-rig.ts';

const rig = new ResolveRig();
afterAll(() => rig[Symbol.asyncDispose]());

const head = 'metadata: { name: A, version: 1.0.0 }\n';
const skill = (name: string, more = ''): string =>
  `  - { name: ${name}, description: d, instructions: i${more} }\n`;
const after = (...names: string[]): string => `, depends_on: [${names.join(', ')}]`;

test('reversed declaration order gives the same waves and the same hash', async () => {
  const skills = [skill('d', after('b', 'c')), skill('c', after('a')), skill('b', after('a')), skill('a')];
  const forward = await rig.resolve({ 'a.lens': `${head}skills:\n${skills.join('')}` });
  const reversed = await rig.resolve({ 'a.lens': `${head}skills:\n${[...skills].reverse().join('')}` });
  expect(waveNames(forward)).toEqual([['a'], ['b', 'c'], ['d']]);
  expect(waveNames(reversed)).toEqual(waveNames(forward));
  expect(reversed.contentHash).toBe(forward.contentHash);
});

test('a skill that depends on itself is a cycle', async () => {
  const resolution = await rig.resolve({ 'a.lens': `${head}skills:\n${skill('a', after('a'))}` });
  expect(problems(resolution)).toEqual([
    'a.lens:3 graph.cycle Skills depend on one another in a circle: a → a',
  ]);
});

test('a cycle of three has one text, whatever the order', async () => {
  const skills = [skill('c', after('b')), skill('a', after('c')), skill('b', after('a')), skill('free')];
  for (const order of [skills, [...skills].reverse()]) {
    const resolution = await rig.resolve({ 'a.lens': `${head}skills:\n${order.join('')}` });
    expect(
      resolution.diagnostics.filter(({ code }) => code === 'graph.cycle').map(({ message }) => message),
    ).toEqual(['Skills depend on one another in a circle: a → c → b → a']);
    expect(waveNames(resolution)).toEqual([['free']]);
    expect(resolution.skills).toHaveLength(4);
  }
});

test('two libraries with the same skill name are two nodes, and a bare name for both is refused', async () => {
  const resolution = await rig.resolve({
    'a.lens': [
      head,
      'skill_sources: [./one.skills.yaml, ./two.skills.yaml]',
      'skills:',
      skill('both', after('"./one.skills.yaml:read"', '"./two.skills.yaml:read"')).trimEnd(),
      skill('unclear', after('read')),
    ].join('\n'),
    'one.skills.yaml': `skills:\n${skill('read')}`,
    'two.skills.yaml': `skills:\n${skill('read')}`,
  });
  expect(resolution.skills.map(({ id }) => id)).toEqual([
    'a.lens:both',
    'a.lens:unclear',
    'one.skills.yaml:read',
    'two.skills.yaml:read',
  ]);
  expect(problems(resolution)).toEqual([
    'a.lens:6 graph.ambiguous-name "read" could mean "one.skills.yaml:read" and "two.skills.yaml:read": write the library in front',
  ]);
});

test('a library reached by two ways is one node', async () => {
  const resolution = await rig.resolve({
    'a.lens': `${head}skills:\n${skill('x', after('"./skills:read"', '"./skills/one.skills.yaml:read"'))}  - { name: read, source: "./skills:read" }\n`,
    'skills/one.skills.yaml': `skills:\n${skill('read')}`,
  });
  expect(problems(resolution)).toEqual([]);
  expect(resolution.skills.map(({ id }) => id)).toEqual(['a.lens:x', 'skills/one.skills.yaml:read']);
  expect(resolution.graph.dependencies).toHaveLength(1);
});

test('malformed references are refused at their place, never guessed', async () => {
  const wrong = ['"/etc:x"', '"http://x:y"', '"a b"', '"sunwell/common:"', '"fount://pkg:name"'];
  const resolution = await rig.resolve({ 'a.lens': `${head}skills:\n${skill('x', after(...wrong))}` });
  const refused = resolution.diagnostics.filter(({ code }) => code === 'reference.malformed');
  expect(refused.map(({ location }) => location.line)).toEqual(wrong.map(() => 3));
  expect(resolution.graph.dependencies).toHaveLength(0);
});

test('one byte of a script file changes the graph hash', async () => {
  const root = await rig.world.makeWorkspace({
    'a.lens': `${head}skills:\n  - { name: x, description: d, scripts: [{ name: x.py, path: x.py }] }\n`,
    'x.py': 'print(1)\n',
  });
  const before = await rig.resolveIn(root, 'a.lens');
  await writeFile(join(root, 'x.py'), 'print(2)\n');
  const afterwards = await rig.resolveIn(root, 'a.lens');
  expect(afterwards.skills[0]?.scripts[0]?.content).toBe('print(2)\n');
  expect(afterwards.contentHash).not.toBe(before.contentHash);
});

test('a missing dependency names what could be meant and offers to write it', async () => {
  const text = `${head}skills:\n${skill('read-file')}${skill('x', after('raed-file'))}`;
  const resolution = await rig.resolve({ 'a.lens': text });
  const [missing] = resolution.diagnostics.filter(({ severity }) => severity === 'error');
  expect(missing?.message).toBe(
    'Skill "x" depends on "raed-file", which does not exist: did you mean "read-file"?',
  );
  expect(missing?.fixes?.map(({ title }) => title)).toEqual([
    'Change to "read-file"',
    'Remove the dependency on "raed-file"',
  ]);
  expect(applyEdits(text, missing?.fixes?.[0]?.edits ?? [])).toBe(text.replace('raed-file', 'read-file'));
});

test('an unsatisfied key offers to depend on its producer and to declare it as an input', async () => {
  const text = `${head}skills:\n${skill('a', ', produces: [text]')}${skill('b', ', requires: [text]')}`;
  const resolution = await rig.resolve({ 'a.lens': text });
  const [unsatisfied] = resolution.diagnostics.filter(({ severity }) => severity === 'error');
  expect(unsatisfied?.fixes?.map(({ title }) => title)).toEqual([
    'Depend on "a"',
    'Declare "text" as a run input',
  ]);
  for (const { edits } of unsatisfied?.fixes ?? []) {
    expect(problems(await rig.resolve({ 'a.lens': applyEdits(text, edits) }))).toEqual([]);
  }
});

test('"_" and "-" are equal in skill names, and case does not matter', async () => {
  const resolution = await rig.resolve({
    'a.lens': `${head}skills:\n${skill('read-file')}${skill('x', after('Read_File'))}`,
  });
  expect(problems(resolution)).toEqual([]);
  expect(waveNames(resolution)).toEqual([['read-file'], ['x']]);
});

test('a required key is satisfied by upstream or by a declared input, otherwise it lists what there is', async () => {
  const text = (inputs: string): string =>
    `${head}${inputs}skills:\n${skill('a', ', produces: [text]')}${skill('b', `${after('a')}, requires: [text, path]`)}`;
  expect(
    problems(await rig.resolve({ 'a.lens': text('inputs: { path: { description: where } }\n') })),
  ).toEqual([]);
  expect(problems(await rig.resolve({ 'a.lens': text('') }))).toEqual([
    'a.lens:4 graph.unsatisfied-requires Skill "b" requires "path", which nothing upstream produces: upstream produces "text"',
  ]);
});

test('a lens with many problems gets quick fixes for the first ones, and for fewer the longer it is', async () => {
  const skills = Array.from({ length: 40 }, (_, i) => skill(`s${i}`, `, requires: [k${i}]`)).join('');
  const fixed = async (filler: number): Promise<number> => {
    const text = `${head}skills:\n${skills}# ${'.'.repeat(filler)}\n`;
    const { diagnostics } = await rig.resolve({ 'a.lens': text });
    return diagnostics.filter(({ fixes }) => fixes !== undefined && fixes.length > 0).length;
  };
  expect([await fixed(0), await fixed(200_000)]).toEqual([25, 3]);
});

test('two producers upstream of one key are a warning at the reader', async () => {
  const resolution = await rig.resolve({
    'a.lens': `${head}skills:\n${skill('a', ', produces: [k]')}${skill('b', ', produces: [k]')}${skill('c', `${after('a', 'b')}, requires: [k]`)}`,
  });
  expect(problems(resolution)).toEqual([
    'a.lens:5 graph.several-producers Skill "c" requires "k", which several skills upstream produce: "a", "b"',
  ]);
});

test('an own skill that replaces a parent’s takes its place in the parent’s graph', async () => {
  const resolution = await rig.resolve({
    'child.lens': `${head}extends: ./parent.lens\nskills:\n${skill('read', ', timeout: 5')}`,
    'parent.lens': `${head}skills:\n${skill('read')}${skill('write', after('read'))}`,
  });
  expect(resolution.skills.map(({ id, overrides }) => [id, overrides?.file])).toEqual([
    ['child.lens:read', 'parent.lens'],
    ['parent.lens:write', undefined],
  ]);
  expect(waveNames(resolution)).toEqual([['read'], ['write']]);
});

test('a lens or library that is gone is refused as gone, and one that is there as unreadable', async () => {
  const root = await rig.world.makeWorkspace({ 'bytes.lens/kept': '' });
  await writeFile(join(root, 'a.skills.yaml'), Buffer.from([0xff, 0xfe, 0xfd]));
  const refusal = (file: string): Promise<unknown> =>
    rig.resolveIn(root, file).catch(({ code, message }: StudioError) => [code, message]);
  expect([
    await refusal('gone.lens'),
    await refusal('gone.skills.yaml'),
    await refusal('bytes.lens'),
    await refusal('a.skills.yaml'),
  ]).toEqual([
    ['file.not-found', 'Cannot read "gone.lens": there is no such file'],
    ['file.not-found', 'Cannot read "gone.skills.yaml": there is no such file'],
    ['file.unreadable', 'Cannot read "bytes.lens": it is not a regular file'],
    ['file.unreadable', 'Cannot read "a.skills.yaml": it is not UTF-8 text'],
  ]);
});

test.skipIf(process.platform === 'win32')(
  'a lens that is not the user’s to read is told as that',
  async () => {
    const root = await rig.world.makeWorkspace({ 'theirs.lens': 'metadata: {}\n' });
    await chmod(join(root, 'theirs.lens'), 0o000);
    // Nothing is kept from root, as whom containers run tests.
    const isRoot = process.geteuid!() === 0;
    if (isRoot) process.seteuid!(65_534);
    try {
      await expect(rig.resolveIn(root, 'theirs.lens')).rejects.toMatchObject({
        code: 'file.unreadable',
        message: 'Cannot read "theirs.lens": you have no right to read it',
      });
    } finally {
      if (isRoot) process.seteuid!(0);
    }
  },
);
