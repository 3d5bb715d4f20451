import { expect, test } from 'vitest';
import { readLens } from '#shared/lens/read/lens.ts';
import { readLibrary } from '#shared/lens/read/library.ts';
import { requestOf } from '../fount/fount-reference.ts';
import { usedFounts } from './used-founts.ts';

test('usedFounts() finds founts wherever a lens can name one, and nothing else', () => {
  const { value } = readLens(
    [
      'metadata: { name: A, version: 1.0.0 }',
      'extends: fount://base@^1.0.0',
      'compose: [fount://mix@^2.0.0, ./other.lens]',
      'skill_sources: [sunwell/common, "agentskills://pdf@^3.0.0"]',
      'skills:',
      '  - { name: a, source: "fount://defs@^4.0.0:a" }',
      '  - { name: b, description: d, instructions: i, depends_on: [a, "fount://deps@^5.0.0:b"] }',
    ].join('\n'),
    'a.lens',
  );
  expect(usedFounts(value).map(requestOf)).toEqual([
    'fount://defs@^4.0.0',
    'fount://deps@^5.0.0',
    'fount://base@^1.0.0',
    'fount://mix@^2.0.0',
    'agentskills://pdf@^3.0.0',
  ]);
});

test('usedFounts() reads a library too', () => {
  const { value } = readLibrary('skills: [{ name: a, source: "fount://defs@^4.0.0" }]\n', 'a.skills.yaml');
  expect(usedFounts(value).map(requestOf)).toEqual(['fount://defs@^4.0.0']);
});
