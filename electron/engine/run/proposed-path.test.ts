import { expect, test } from 'vitest';
import { permittedBy } from '../plan/permitted.ts';
import { problemOfPath } from '../tools/proposed-path.ts';

test.each([
  ['docs/a.md', undefined],
  ['.github/workflows/a.yml', undefined],
  ['secrets', undefined],
  ['../a', 'it is not a path within the workspace'],
  ['/etc/passwd', 'it is not a path within the workspace'],
  ['a//b', 'it is not a path within the workspace'],
  ['a\\b', 'it is not a path within the workspace'],
  ['', 'it is not a path within the workspace'],
  ['.git/hooks/pre-commit', '".git" is kept from scripts'],
  ['sub/.GIT/config', '".GIT" is kept from scripts'],
  ['.env', '".env" is kept from scripts'],
  ['secrets/x', '"secrets" is kept from scripts'],
  ['.sunwell/config.yaml', '".sunwell" is kept from scripts'],
])('problemOfPath(%j) is %j', (path, problem) => {
  expect(problemOfPath(path)).toBe(problem);
});

test('problemOfPath() narrows to what the permissions of the skill allow', () => {
  const { write } = permittedBy({ filesystem: { write: ['docs/**'] } });
  expect([problemOfPath('docs/a/b.md', write), problemOfPath('src/a.py', write)]).toEqual([
    undefined,
    'the permissions of the skill leave it out',
  ]);
});

test.each([
  [undefined, { network: [] }],
  [
    { filesystem: { read: '**/*', write: [] }, network: { allow: [], deny: ['*'] } },
    { read: ['**/*'], write: [], network: [] },
  ],
  [
    { filesystem: { read: 7 }, network: { allow: 'example.org' } },
    { read: [], network: ['example.org'] },
  ],
])('permittedBy(%j) is %j', (permissions, permitted) => {
  expect(permittedBy(permissions)).toEqual(permitted);
});
