import { describe, expect, test } from 'vitest';
import { applyEdits } from '../edit/text-lines.ts';
import { openYaml } from './open.ts';

function codes(text: string): string[] {
  return openYaml(text, 'a.yaml').problems.diagnostics.map(
    ({ code, location }) => `${location.line}:${location.column} ${code}`,
  );
}

/** Lists inside one another, `depth` of them. */
function nested(depth: number): string {
  return '['.repeat(depth) + ']'.repeat(depth);
}

describe('openYaml() keeps the limits', () => {
  test.each([
    ['64 levels in brackets', nested(64), []],
    ['65 levels in brackets', nested(65), ['1:65 yaml.too-deep']],
    ['a million open brackets', '['.repeat(1_000_000), ['1:65 yaml.too-deep']],
    ['half a million dashes', '- '.repeat(500_000), ['1:129 yaml.too-deep']],
    ['1 MiB', `a: ${'x'.repeat(1024 * 1024 - 3)}`, []],
    ['more than 1 MiB', `a: ${'x'.repeat(1024 * 1024)}`, ['1:1 yaml.too-large']],
    ['more than 1 MiB of bytes in fewer characters', `a: ${'é'.repeat(600_000)}`, ['1:1 yaml.too-large']],
    ['10 aliases', `a: &x 1\nb: [${'*x, '.repeat(10)}]`, []],
    ['11 aliases', `a: &x 1\nb: [${'*x, '.repeat(11)}]`, ['2:45 yaml.too-many-aliases']],
    ['an alias of nothing', 'a: *x', ['1:4 yaml.unknown-anchor']],
    ['an alias of itself', 'a: &x [*x]', ['1:8 yaml.recursive-alias']],
    [
      'keys that reach prototypes',
      '__proto__: 1\nconstructor: 2\nb: {prototype: 3}',
      ['1:1 yaml.forbidden-key', '2:1 yaml.forbidden-key', '3:5 yaml.forbidden-key'],
    ],
    ['merge keys', 'a: &x {b: 1}\nc: {<<: *x}', ['2:5 yaml.merge-key']],
    ['merge keys of YAML 1.1', '%YAML 1.1\n---\na: &x {b: 1}\nc: {<<: *x}', ['4:5 yaml.merge-key']],
    ['lists as keys', '? [a]\n: b', ['1:3 yaml.key-not-text']],
    ['numbers as keys', '1: a\ntrue: b', []],
    ['two documents', 'a: 1\n---\nb: 2', ['2:1 yaml.several-documents']],
    ['tags', 'a: !secret x\nb: !!binary aGk=', ['1:4 yaml.unknown-tag', '2:4 yaml.unknown-tag']],
    ['broken quotes', 'a: "x', ['1:6 yaml.syntax']],
    ['tabs', 'a:\n\tb: 1', ['2:1 yaml.tab-indent']],
    ['lone surrogates and NUL', 'a: \ud800\nb: "\u0000"', []],
  ])('%s', (_, text, expected) => {
    expect(codes(text)).toEqual(expected);
  });

  test('tens of thousands of problems are not all listed', () => {
    expect(openYaml(']'.repeat(100_000), 'a.yaml').problems.diagnostics.length).toBeLessThan(150);
    expect(openYaml('a: 1\n'.repeat(30_000), 'a.yaml').problems.diagnostics).toHaveLength(1000);
  });

  test('a forbidden key never reaches the value', () => {
    const { source } = openYaml('{"__proto__": {"x": 1}, "a": 2}', 'a.yaml');
    const plain = source.plain(source.root) as Record<string, unknown>;
    expect(Object.keys(plain)).toEqual(['a']);
    expect(plain['x']).toBeUndefined();
  });
});

describe('openYaml() reports a key given twice', () => {
  test('with both lines and a way out', () => {
    const text = 'a:\n  x: 1\n  y: 2 # two\n  x: 3 # three\n  z: 4\n';
    const [diagnostic] = openYaml(text, 'a.yaml').problems.diagnostics;
    expect(diagnostic).toEqual({
      code: 'yaml.duplicate-key',
      severity: 'error',
      message: 'Key "x" is given twice: in line 2 and in line 4',
      location: { file: 'a.yaml', line: 4, column: 3, endLine: 4, endColumn: 4 },
      related: [
        {
          message: '"x" is first given here',
          location: { file: 'a.yaml', line: 2, column: 3, endLine: 2, endColumn: 4 },
        },
      ],
      fixes: [{ title: 'Remove the second "x"', edits: [{ file: 'a.yaml', start: 23, end: 38, text: '' }] }],
    });
    expect(applyEdits(text, diagnostic!.fixes![0]!.edits)).toBe('a:\n  x: 1\n  y: 2 # two\n  z: 4\n');
  });

  test('and the first one counts', () => {
    const { source } = openYaml('a: 1\na: 2', 'a.yaml');
    expect(source.plain(source.root)).toEqual({ a: 1 });
  });
});

test('openYaml() refuses a file of very many small pieces before it parses them all', () => {
  for (const piece of ['-\n', 'a: 1\n', '- [1, 2]\n']) {
    const text = piece.repeat(Math.floor((1024 * 1024) / piece.length));
    expect(openYaml(text, 'many.lens').problems.diagnostics.map(({ code }) => code)).toEqual([
      'yaml.too-many-pieces',
    ]);
  }
});
