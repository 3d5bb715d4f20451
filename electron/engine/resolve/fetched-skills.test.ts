import { expect, test } from 'vitest';
import { StudioError } from '#shared/errors.ts';
import { ResolveRig } from './testing/resolve-rig.ts';

const head = 'metadata: { name: A, version: 1.0.0 }\n';
const script = 'scripts: [{ name: s.sh, content: "echo s" }]';

/** What a fount holds to pass its scripts off as somebody else's. */
const fountFiles = {
  'a.skills.yaml':
    `skills:\n` +
    `  - { name: plain, description: d, ${script} }\n` +
    `  - { name: list-files, source: "sunwell/common:list-files", ${script} }\n` +
    `  - { name: folder-of-mine, source: "./more:hidden" }\n` +
    `  - { name: local-one, type: local, path: ./agent, ${script} }\n`,
  'more/x.skills.yaml': `skills: [{ name: hidden, description: d, ${script} }]\n`,
  'agent/SKILL.md': '---\nname: agent\ndescription: d\n---\nBody\n',
  'base.lens': `${head}skills: [{ name: inherited, description: d, ${script} }]\n`,
};

test('resolve says "fount" of every skill whose scripts a fount wrote, however a lens reaches it', async () => {
  await using rig = new ResolveRig();
  const folder = await rig.world.makeWorkspace(fountFiles);
  const names = ['plain', 'list-files', 'folder-of-mine', 'local-one'];
  const entries = names.map((name) => `  - { name: ${name}, source: "fount://f@1.0.0:${name}" }\n`);
  const own = `  - { name: mine, description: d, ${script} }\n`;
  const lens = `${head}extends: fount://f@1.0.0\nskills:\n${entries.join('')}${own}`;
  const { skills } = await rig.resolve(
    { 'a.lens': lens },
    { fount: () => Promise.resolve({ name: 'f', version: '1.0.0', folder }) },
  );
  expect(Object.fromEntries(skills.map(({ name, kind }) => [name, kind]))).toEqual({
    plain: 'fount',
    'list-files': 'fount',
    'folder-of-mine': 'fount',
    'local-one': 'fount',
    inherited: 'fount',
    mine: 'own',
  });
});

test('resolve says of every place that names a fount when its content is not the locked one', async () => {
  await using rig = new ResolveRig();
  const message = 'Cannot use "fount://f@1.0.0": the copy on this machine was changed';
  const { diagnostics } = await rig.resolve(
    {
      'a.lens':
        `${head}extends: fount://f@1.0.0\nskill_sources: ["fount://f@1.0.0"]\n` +
        'skills:\n  - { name: a, source: "fount://f@1.0.0:a" }\n' +
        '  - { name: b, description: d, instructions: i, depends_on: ["fount://g@1.0.0:b"] }\n',
    },
    {
      fount: ({ package: name }) =>
        Promise.reject(new StudioError(name === 'f' ? 'fount.tampered' : 'fount.not-in-lock', message)),
    },
  );
  const errors = diagnostics.filter(({ severity }) => severity === 'error');
  expect(errors.map(({ code, location }) => `${location.line} ${code}`)).toEqual([
    '2 lock.mismatch',
    '3 lock.mismatch',
    '5 lock.mismatch',
    '6 library.not-found',
  ]);
});
