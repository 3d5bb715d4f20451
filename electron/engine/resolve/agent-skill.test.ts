import { afterAll, expect, test } from 'vitest';
import { problems, ResolveRig, waveNames } from './testing/resolve-rig.ts';

const rig = new ResolveRig();
afterAll(() => rig[Symbol.asyncDispose]());

const head = 'metadata: { name: A, version: 1.0.0 }\n';
const skillFile = (name: string, sunwell: object): string =>
  `---\nname: ${name}\ndescription: d\nmetadata:\n  sunwell: '${JSON.stringify(sunwell)}'\n---\nDo it.\n`;

test('"metadata.sunwell" joins a SKILL.md to the graph, with its scripts and templates', async () => {
  const resolution = await rig.resolve({
    'a.lens': `${head}skills:\n  - { name: fill, path: ./skills/fill }\n  - { name: read, path: ./skills/read }\n`,
    'skills/read/SKILL.md': skillFile('read', { produces: ['text'] }),
    'skills/fill/SKILL.md': skillFile('fill', {
      depends_on: ['read'],
      requires: ['text'],
      trust: 'none',
      scripts: [{ name: 'fill.py', language: 'python', path: 'scripts/fill.py' }],
      templates: [{ name: 'form', path: 'assets/form.txt' }],
    }),
    'skills/fill/scripts/fill.py': 'print(1)\n',
    'skills/fill/assets/form.txt': 'Dear ${who}',
  });
  expect(problems(resolution)).toEqual([]);
  expect(waveNames(resolution)).toEqual([['read'], ['fill']]);
  expect(resolution.skills.find(({ id }) => id === 'a.lens:fill')).toMatchObject({
    skill: {
      instructions: 'Do it.',
      trust: 'none',
      requires: [{ key: 'text' }],
      templates: [{ name: 'form', content: 'Dear ${who}' }],
    },
    scripts: [{ name: 'fill.py', content: 'print(1)\n', file: 'skills/fill/scripts/fill.py' }],
  });
});

test('what is wrong with a SKILL.md that a lens uses is reported at its place', async () => {
  const resolution = await rig.resolve({
    'a.lens': `${head}skills:\n  - { name: a, path: ./skills/a }\n  - { name: b, path: ./skills/b }\n  - { name: c, path: ./skills/c }\n`,
    'skills/a/SKILL.md': '---\nname: a\n---\nNo description.\n',
    'skills/b/SKILL.md': skillFile('b', { depends_on: ['not a name'], tusrt: 'full' }),
    'skills/c/SKILL.md': skillFile('c', { templates: [{ name: 'gone', path: 'assets/gone.txt' }] }),
  });
  expect(problems(resolution)).toEqual([
    'skills/a/SKILL.md:1 agent-skill.missing-description Missing required field in frontmatter: description',
    'skills/b/SKILL.md:5 agent-skill.bad-metadata Cannot use "metadata.sunwell": Unrecognized key: "tusrt"',
    'skills/c/SKILL.md:1 skill.missing-file Cannot read template "assets/gone.txt": there is no such file',
  ]);
});
