import { describe, expect, it } from 'vitest';
import { applyEdits } from '#shared/lens/edit/text-lines.ts';
import type { Change } from '#shared/lens/edit/text-lines.ts';
import { Blocks } from './blocks.svelte.ts';

const lens = `skills:
  - name: count   # words
    scripts:
      - name: count.py
        content: |
          import sys

          print(1)
    trust: none
`;
const path = ['skills', 0, 'scripts', 0, 'content'];

/** Blocks over one document whose edits are applied at once. */
function open(text: string) {
  const document = { file: 'a.lens', text, atRest: () => Promise.resolve() };
  const told: string[] = [];
  const labels: string[] = [];
  const edits = {
    open: () => [{ document }],
    apply: ({ label, edits: changes }: { label: string; edits: readonly Change[] }) => {
      labels.push(label);
      document.text = applyEdits(document.text, changes);
      return Promise.resolve(true);
    },
  };
  const blocks = new Blocks({
    edits: edits as never,
    notices: { tell: (line: string) => told.push(line) } as never,
  });
  return { blocks, document, told, labels };
}

describe('Blocks', () => {
  it('writes a text back in its own style, as one edit, and leaves the rest alone', async () => {
    const { blocks, document, labels } = open(lens);
    await blocks.open('a.lens', path);
    expect(blocks.current).toMatchObject({
      language: 'python',
      title: 'count · count.py',
      text: 'import sys\n\nprint(1)\n',
    });
    expect(await blocks.finish('import sys\n\nprint(2)')).toBe(true);
    expect([document.text, labels, blocks.current]).toEqual([
      lens.replace('print(1)', 'print(2)'),
      ['Edit count · count.py'],
      undefined,
    ]);
  });

  it('writes nothing where nothing changed, or where it is discarded', async () => {
    const { blocks, document, labels } = open(lens);
    await blocks.open('a.lens', path);
    await blocks.finish('import sys\n\nprint(1)\n');
    await blocks.open('a.lens', path);
    blocks.discard();
    expect([document.text, labels]).toEqual([lens, []]);
  });

  it('keeps the text open where the file has another one meanwhile', async () => {
    const { blocks, document, told } = open(lens);
    await blocks.open('a.lens', path);
    document.text = lens.replace('print(1)', 'print(3)');
    expect(await blocks.finish('print(2)\n')).toBe(false);
    expect(told).toEqual(['Not written: "count · count.py" was changed in "a.lens" meanwhile']);
    expect(blocks.current).toBeDefined();
  });

  it('says why a text cannot be opened', async () => {
    const { blocks, told } = open(`${lens}  - [`);
    await blocks.open('a.lens', path);
    const other = open(lens);
    await other.blocks.open('a.lens', ['skills', 7, 'instructions']);
    expect([...told, ...other.told]).toEqual([
      'Cannot open this text by itself: correct the syntax of "a.lens" first',
      'Cannot open this text by itself: "a.lens" has none there',
    ]);
  });
});
