import { expect, test } from 'vitest';
import { ResolveRig } from '../resolve/testing/resolve-rig.ts';
import { fillVariables } from '#shared/prompt/fill-variables.ts';
import { variablesOf } from './variables.ts';

test('variablesOf() knows the fixed names, then only what the skill declares; fixed names win', async () => {
  await using rig = new ResolveRig();
  const { skills } = await rig.resolve({
    'lenses/a.lens':
      'metadata: { name: A, version: 1.0.0 }\nskills:\n' +
      '  - name: list-all-docs\n    description: d\n    requires: [pages, DATE]\n' +
      '    parameters_schema: { properties: { path: { type: string } } }\n' +
      '    scripts: [{ name: a.sh, content: x }]\n',
  });
  const values = { pages: ['a', 1], DATE: 'never', path: 'p', other: 'o' };
  expect(Object.fromEntries(variablesOf(skills[0]!, values, new Date('2026-03-04T05:06:07Z')))).toEqual({
    pages: '["a",1]',
    path: 'p',
    WORKSPACE_ROOT: '/workspace',
    LENS_DIR: '/workspace/lenses',
    TEMP_DIR: '/tmp',
    DATE: '2026-03-04',
    TIMESTAMP: '2026-03-04T05:06:07.000Z',
    Name: 'ListAllDocs',
    name: 'list-all-docs',
    NAME: 'LIST_ALL_DOCS',
  });
});

test('fillVariables() puts values in once and leaves unknown placeholders alone', () => {
  const variables = new Map([
    ['a', '${b} $& $1'],
    ['b', 'never'],
  ]);
  expect(fillVariables('--x=${a}|${Product Name}|${}|$a|${toString}', variables)).toBe(
    '--x=${b} $& $1|${Product Name}|${}|$a|${toString}',
  );
});
