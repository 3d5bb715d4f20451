import { symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { applyEdits } from '#shared/lens/edit/text-lines.ts';
import { problems, ResolveRig, waveNames } from './testing/resolve-rig.ts';

const rig = new ResolveRig();
afterAll(() => rig[Symbol.asyncDispose]());

const head = 'metadata: { name: A, version: 1.0.0 }\n';
const skill = (name: string, more = ''): string =>
  `  - { name: ${name}, description: d, instructions: i${more} }\n`;

test('a reference takes the library’s definition and lays the lens’s fields over it', async () => {
  const resolution = await rig.resolve({
    'a.lens': `${head}skills:\n  - { name: read, source: "./lib/team.skills.yaml:read", timeout: 5, produces: [own] }\n`,
    'lib/team.skills.yaml': `skills:\n  - { name: read, description: d, depends_on: list, produces: [text], scripts: [{ name: r.py, path: r.py }] }\n${skill('list')}`,
    'lib/r.py': 'print(1)\n',
  });
  expect(problems(resolution)).toEqual([]);
  const [read] = resolution.skills;
  expect(read).toMatchObject({
    id: 'a.lens:read',
    skill: { description: 'd', timeoutSeconds: 5 },
    scripts: [{ name: 'r.py', content: 'print(1)\n', file: 'lib/r.py' }],
    dependsOn: [{ id: 'lib/team.skills.yaml:list' }],
  });
  expect(read?.skill.produces?.map(({ key }) => key)).toEqual(['own']);
});

test('include brings all skills of a file, or the named ones, and says what is not there', async () => {
  const library = `skills:\n${skill('a')}${skill('b', ', depends_on: a')}${skill('c')}`;
  const all = await rig.resolve({
    'x.lens': `${head}skills: [{ include: lib.skills.yaml }]\n`,
    'lib.skills.yaml': library,
  });
  expect(waveNames(all)).toEqual([['a', 'c'], ['b']]);
  const some = await rig.resolve({
    'x.lens': `${head}skills: [{ include: "lib.skills.yaml::b, none" }]\n`,
    'lib.skills.yaml': library,
  });
  expect(waveNames(some)).toEqual([['a'], ['b']]);
  expect(problems(some)).toEqual([
    'x.lens:2 include.not-found Cannot include "none": "lib.skills.yaml" has no such skill',
  ]);
});

test('a folder library reports a name that two of its files use, and both stay reachable by their file', async () => {
  const resolution = await rig.resolve({
    'a.lens': [
      head,
      'skill_sources: [./skills]',
      'skills:',
      skill('x', ', depends_on: ["./skills/one.yaml:audit", "./skills/two.yaml:audit"]'),
    ].join('\n'),
    'skills/one.yaml': `skills:\n${skill('audit')}`,
    'skills/two.yaml': `skills:\n${skill('audit')}`,
  });
  expect(problems(resolution)).toEqual([
    'skills/two.yaml:2 graph.duplicate-skill Skill "audit" is also defined in "skills/one.yaml": write "./two.yaml:audit" to mean this one',
  ]);
  expect(resolution.graph.dependencies).toHaveLength(2);
});

test('a disabled skill is not in the graph, and a dependency on it says why', async () => {
  const text = `${head}skills:\n${skill('a', ', enabled: { env: CI, equals: "1" }')}${skill('b', ', depends_on: a')}`;
  const on = await rig.resolve({ 'a.lens': text }, { environment: { CI: '1' } });
  expect(waveNames(on)).toEqual([['a'], ['b']]);
  const off = await rig.resolve({ 'a.lens': text });
  expect(waveNames(off)).toEqual([['b']]);
  expect(problems(off)).toEqual([
    'a.lens:4 graph.missing-dependency Skill "b" depends on "a", which is disabled: environment variable "CI" is not "1"',
  ]);
});

test('two skills with one preset get permissions of their own, with their own fields laid over', async () => {
  const resolution = await rig.resolve({
    'a.lens': `${head}skill_sources: [./presets.skills.yaml]\nskills:\n${skill('a', ', preset: reader, permissions: { shell: { allow: [ls] } }')}${skill('b', ', preset: Reader')}`,
    'presets.skills.yaml':
      'presets:\n  reader:\n    permissions: { filesystem: { read: ["**"] }, shell: { allow: [] } }\n',
  });
  const [a, b] = resolution.skills;
  expect([a?.permissions, b?.permissions]).toEqual([
    { filesystem: { read: ['**'] }, shell: { allow: ['ls'] } },
    { filesystem: { read: ['**'] }, shell: { allow: [] } },
  ]);
  (a!.permissions as { filesystem: { read: string[] } }).filesystem.read.push('changed');
  expect(b?.permissions).toMatchObject({ filesystem: { read: ['**'] } });
});

test('a local skill takes its definition from a SKILL.md folder', async () => {
  const resolution = await rig.resolve({
    'a.lens': `${head}skills:\n  - { name: pdf, path: ./skills/pdf, produces: [text] }\n`,
    'skills/pdf/SKILL.md': '---\nname: pdf\ndescription: Reads PDF files\n---\n# Steps\n',
  });
  expect(problems(resolution)).toEqual([]);
  expect(resolution.skills[0]).toMatchObject({
    kind: 'agent-skill',
    skill: { description: 'Reads PDF files', instructions: '# Steps' },
  });
});

test('a script path may not leave its place, neither by dots nor by a link', async () => {
  const outside = await rig.world.makeWorkspace({ 'secret.py': 'secret' });
  const root = await rig.world.makeWorkspace({
    'a.lens': `${head}skills:\n  - { name: x, description: d, scripts: [{ name: a.py, path: ../../etc/passwd }, { name: b.py, path: link.py }, { name: c.py, path: none.py }] }\n`,
  });
  await symlink(join(outside, 'secret.py'), join(root, 'link.py'));
  const resolution = await rig.resolveIn(root, 'a.lens');
  expect(problems(resolution)).toEqual([
    'a.lens:3 skill.unsafe-path The path "../../etc/passwd" leaves the folder that its file may use',
    'a.lens:3 skill.unsafe-path The path "link.py" leaves the folder that its file may use',
    'a.lens:3 skill.missing-file Cannot read "none.py": there is no such file',
  ]);
  expect(resolution.skills[0]?.scripts).toEqual([]);
});

test('a library beside the workspace is read, and its own files with it', async () => {
  const parent = await rig.world.makeWorkspace({
    'ws/a.lens': `${head}skills:\n${skill('x', ', depends_on: "../team/t.skills.yaml:read"')}`,
    'team/t.skills.yaml':
      'skills:\n  - { name: read, description: d, scripts: [{ name: r.py, path: r.py }] }\n',
    'team/r.py': 'print(1)\n',
  });
  const resolution = await rig.resolveIn(join(parent, 'ws'), 'a.lens');
  expect(problems(resolution)).toEqual([]);
  expect(resolution.skills.map(({ id }) => id)).toEqual(['a.lens:x', '../team/t.skills.yaml:read']);
});

test('shortcuts and workflows that name no skill are reported; those of a searched library join the graph', async () => {
  const resolution = await rig.resolve({
    'a.lens': [
      head,
      'skill_sources: [./lib.skills.yaml]',
      'router: { shortcuts: { "::r": read, "::x": nowhere } }',
      'workflows: [{ name: w, steps: [{ skill: write }, { parallel: [{ skill: gone }] }] }]',
      'skills: []',
    ].join('\n'),
    'lib.skills.yaml': `skills:\n${skill('read')}${skill('write')}${skill('other')}`,
  });
  expect(problems(resolution)).toEqual([
    'a.lens:4 shortcut.dangling Shortcut "::x" names "nowhere", which is not a skill here',
    'a.lens:5 workflow.missing-skill The workflow names "gone", which is not a skill here',
  ]);
  expect(resolution.skills.map(({ name }) => name)).toEqual(['read', 'write']);
  expect([...resolution.shortcuts]).toEqual([
    ['::r', { skill: 'read', id: 'lib.skills.yaml:read' }],
    ['::x', { skill: 'nowhere', id: undefined }],
  ]);
});

test('an unchanged workspace is parsed once, a changed text again, an unsaved text instead of the file', async () => {
  const files = {
    'a.lens': `${head}skills: [{ include: l.skills.yaml }]\n`,
    'l.skills.yaml': `skills:\n${skill('a')}`,
  };
  const root = await rig.world.makeWorkspace(files);
  await rig.resolveIn(root, 'a.lens');
  const { parses } = rig.cache;
  await rig.resolveIn(root, 'a.lens');
  expect(rig.cache.parses).toBe(parses);
  const unsaved = new Map([[join(root, 'l.skills.yaml'), `skills:\n${skill('b')}`]]);
  expect(waveNames(await rig.resolveIn(root, 'a.lens', { unsaved }))).toEqual([['b']]);
  expect(waveNames(await rig.resolveIn(root, 'a.lens'))).toEqual([['a']]);
});

test('a folder with a SKILL.md is a library of that one skill, named by the folder or by the file', async () => {
  const resolution = await rig.resolve({
    'a.lens': `${head}skills:\n${skill('x', ', depends_on: ["./skills/notes:notes", "./skills/plans/SKILL.md:plans"]')}`,
    'skills/notes/SKILL.md': '---\nname: notes\ndescription: d\n---\nWrite notes.\n',
    'skills/plans/SKILL.md': '---\nname: plans\ndescription: d\n---\nPlan.\n',
  });
  expect(problems(resolution)).toEqual([]);
  expect(resolution.skills.map(({ id }) => id)).toEqual([
    'a.lens:x',
    'skills/notes/SKILL.md:notes',
    'skills/plans/SKILL.md:plans',
  ]);
});

test('a shortcut with a slip of the pen offers the skill that was meant', async () => {
  const text = `${head}router: { shortcuts: { "::r": raed } }\nskills:\n${skill('read')}`;
  const resolution = await rig.resolve({ 'a.lens': text });
  const [dangling] = resolution.diagnostics.filter(({ code }) => code === 'shortcut.dangling');
  const [fix] = dangling?.fixes ?? [];
  expect(applyEdits(text, fix?.edits ?? [])).toBe(text.replace('raed', 'read'));
});
