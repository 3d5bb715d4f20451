import { describe, expect, it } from 'vitest';
import { outlineOf } from '#shared/lens/language/outline-of.ts';
import { openYaml } from '#shared/lens/yaml/open.ts';
import { OutlineTree } from './outline-tree.svelte.ts';

const text = `metadata: {name: Mine}
skills:
  - name: read
    description: Reads
    scripts:
      - name: read.py
        content: |
          print(1)

  - name: write
    instructions: Write
inputs: {}
`;

function open(yaml = text): OutlineTree {
  const tree = new OutlineTree();
  tree.show(outlineOf(openYaml(yaml, 'a.lens').source));
  return tree;
}

const names = ({ rows }: OutlineTree): string[] => {
  return rows.map(({ level, entry }) => `${'  '.repeat(level - 1)}${entry.name}`);
};

describe('OutlineTree', () => {
  it('walks by arrows, and folds and unfolds what has something below', () => {
    const tree = open();
    const walked = [
      'ArrowDown',
      'ArrowRight',
      'ArrowLeft',
      'ArrowRight',
      'ArrowRight',
      'End',
      'Home',
      'x',
    ].map((key) => [key, tree.press(key), tree.focused?.entry.name]);
    expect(walked).toEqual([
      ['ArrowDown', true, 'skills'],
      ['ArrowRight', true, 'read'],
      ['ArrowLeft', true, 'read'],
      ['ArrowRight', true, 'read'],
      ['ArrowRight', true, 'read.py'],
      ['End', true, 'inputs'],
      ['Home', true, 'metadata'],
      ['x', false, 'metadata'],
    ]);
    tree.toggle(tree.rows[1]!);
    expect(names(tree)).toEqual(['metadata', 'skills', 'inputs']);
  });

  it('follows the cursor to the innermost line that is not folded away', () => {
    const tree = open();
    const at = (line: number): string | undefined => {
      tree.follow(line);
      return tree.current?.entry.name;
    };
    expect([1, 2, 4, 7, 11, 12, 40].map(at)).toEqual([
      ...['metadata', 'skills', 'read', 'read.py', 'write', 'inputs', undefined],
    ]);
    tree.toggle(tree.rows[2]!);
    expect(at(7)).toBe('read');
  });

  it('begins at the cursor again after it moved, and keeps what is folded while the text changes', () => {
    const tree = open();
    tree.follow(10);
    tree.press('ArrowUp');
    const walked = tree.focused?.entry.name;
    tree.toggle(tree.rows[1]!);
    tree.show(outlineOf(openYaml(`# first\n${text}`, 'a.lens').source));
    tree.follow(2);
    expect([walked, names(tree), tree.focused?.entry.name]).toEqual([
      'read.py',
      ['metadata', 'skills', 'inputs'],
      'metadata',
    ]);
  });

  it('lists what can be read of a broken text, two entries of one name apart', () => {
    const tree = open('skills:\n  - name: a\n  - name: a\n  - name: [b\n');
    expect(names(tree).slice(0, 3)).toEqual(['skills', '  a', '  a']);
    expect(new Set(tree.rows.map(({ id }) => id)).size).toBe(tree.rows.length);
  });
});
