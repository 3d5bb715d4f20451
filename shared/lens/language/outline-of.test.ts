import { describe, expect, it } from 'vitest';
import { openYaml } from '../yaml/open.ts';
import { foldingOf } from './folding-of.ts';
import { outlineOf } from './outline-of.ts';
import type { OutlineEntry } from './outline-of.ts';

const text = `lens:
  metadata:
    name: Mine
  # one
  # two
  validators:
    deterministic:
      - {name: short, max_words: 9}
  skills:
  - name: a
    description: Does a
    scripts:
    - name: a.py
      content: |
        print(1)

  - include: b.yaml
`;

function told(entries: readonly OutlineEntry[], depth = 0): string[] {
  return entries.flatMap(({ name, kind, detail, nameAt, children }) => [
    `${'  '.repeat(depth)}${nameAt.line} ${kind} ${name} ${detail}`.trimEnd(),
    ...told(children, depth + 1),
  ]);
}

describe('outlineOf()', () => {
  it('lists sections with their named entries and scripts', () => {
    expect(told(outlineOf(openYaml(text, 'x.lens').source))).toEqual([
      '2 section metadata',
      '6 section validators 1',
      '  8 entry short',
      '9 section skills 2',
      '  10 entry a Does a',
      '    13 script a.py',
      '  17 entry b.yaml',
    ]);
  });

  it('lists what can be read of a broken text', () => {
    const { source } = openYaml('skills:\n  - name: a\n  - name: [b\n', 'x.lens');
    expect(told(outlineOf(source))[0]).toMatch(/^1 section skills/);
  });
});

describe('foldingOf()', () => {
  it('folds a line with what is below it, and comments', () => {
    expect(
      foldingOf(text.split('\n')).map(({ startLine, endLine, kind }) => `${startLine}-${endLine} ${kind}`),
    ).toEqual([
      '1-17 block',
      '2-3 block',
      '4-5 comment',
      '6-8 block',
      '7-8 block',
      '9-17 block',
      '10-15 block',
      '12-15 block',
      '13-15 block',
      '14-15 block',
    ]);
  });
});
