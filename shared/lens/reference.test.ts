import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { parseLensReference, parseLibraryReference, parseReference } from './reference.ts';

describe('parseReference()', () => {
  test.each([
    ['read-file', { name: 'read-file' }],
    ['read_file', { name: 'read_file' }],
    ['sunwell/common:a', { name: 'a', library: { kind: 'builtin', name: 'sunwell/common' } }],
    ['./skills:a', { name: 'a', library: { kind: 'path', path: './skills' } }],
    ['../t/c.skills.yaml:a', { name: 'a', library: { kind: 'path', path: '../t/c.skills.yaml' } }],
    ['fount://pkg@^1.2.0:a', { name: 'a', library: { kind: 'fount', package: 'pkg', range: '^1.2.0' } }],
    [
      'fount://@team/pkg@>=1 <2:a',
      { name: 'a', library: { kind: 'fount', package: '@team/pkg', range: '>=1 <2' } },
    ],
    [
      'agentskills://pkg@1.x:a',
      { name: 'a', library: { kind: 'agentskills', package: 'pkg', range: '1.x' } },
    ],
  ])('reads %s', (text, value) => {
    expect(parseReference(text)).toEqual({ ok: true, value });
  });

  test.each([
    '', ' a', 'a ', 'a b', 'a:', ':a', 'a::b', 'team/common:a', '/abs:a', '..\\x:a', 'fount://pkg:a', 'fount://pkg@:a',
    'fount://@team@^1:a', 'fount://pkg@^1', 'http://x@1:a', 'sunwell/:a', './x', 'a/../b', '-a', 'a-', 'a\nb', 'é',
    'FOUNT://pkg@1:a', 'fount://Pkg@1:a', `${'a'.repeat(2000)}`,
  ])('refuses %j', (text) => {
    expect(parseReference(text).ok).toBe(false);
  }); // prettier-ignore

  test('never throws, and says why it refuses', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(...'ab:/.@^1-_ #~\\') }), (text) => {
        for (const parse of [parseReference, parseLibraryReference, parseLensReference]) {
          const parsed = parse(text);
          if (!parsed.ok) expect(parsed.problem).not.toBe('');
        }
      }),
    );
  });
});

describe('parseLensReference()', () => {
  test.each([
    ['tech-writer', { kind: 'name', name: 'tech-writer' }],
    ['Tech Writer', { kind: 'name', name: 'Tech Writer' }],
    ['sunwell/base/muru', { kind: 'name', name: 'sunwell/base/muru' }],
    ['./base.lens', { kind: 'path', path: './base.lens' }],
    ['base/muru.lens', { kind: 'path', path: 'base/muru.lens' }],
    ['fount://@t/p@^1', { kind: 'fount', package: '@t/p', range: '^1' }],
  ])('reads %s', (text, value) => {
    expect(parseLensReference(text)).toEqual({ ok: true, value });
  });
});
