import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../edit/text-lines.ts';
import { sameTree, treeOf } from '../edit/tree.ts';
import { corpusFiles } from '../testing/corpus.ts';
import { openYaml } from '../yaml/open.ts';
import { formatEdits } from './format.ts';

function formatted(text: string): string {
  const result = formatEdits(openYaml(text, 'x.lens').source);
  return result.ok ? applyEdits(text, result.edits) : result.message;
}

describe('formatEdits()', () => {
  it('brings indents to two columns and keeps comments with what they stand above', () => {
    const text = `lens:   
    metadata:
        name: A   # shown


        # what it is
        version: "1"
    skills:
        -   name: a
            instructions: |
                One
                  two

                three
            depends_on: [b,
                c]
        # the second
        -   name: b
`;
    expect(formatted(text)).toBe(`lens:
  metadata:
    name: A   # shown

    # what it is
    version: "1"
  skills:
    -   name: a
        instructions: |
            One
              two

            three
        depends_on: [b,
            c]
    # the second
    -   name: b
`);
  });

  it('leaves lists at the column of their key where the file has them there', () => {
    expect(formatted('a:\n   b:\n   - c\n   - d: 1\n     e: 2\n')).toBe(
      'a:\n  b:\n  - c\n  - d: 1\n    e: 2\n',
    );
  });

  it('keeps blank lines that belong to a text', () => {
    const text = 'a: |+\n  x\n\n\n\nb: "one\n\n\n  two"\n';
    expect(formatted(text)).toBe(text);
  });

  it('refuses a broken text', () => {
    expect(formatted('a: [')).toBe('Cannot format the text: correct its syntax first');
  });

  it.each(corpusFiles().map((file) => [file.name, file] as const))(
    'keeps what %s says, and a second time changes nothing',
    (_, { text }) => {
      const once = formatted(text);
      expect(once).not.toMatch(/^Cannot/);
      expect(once.replace(/\s+/g, '')).toBe(text.replace(/\s+/g, ''));
      expect(sameTree(treeOf(openYaml(once, 'x').source), treeOf(openYaml(text, 'x').source))).toBe(true);
      expect(formatted(once)).toBe(once);
    },
  );

  it('brings a text whose indents were stretched back to its meaning', () => {
    const files = corpusFiles().filter(({ text }) => text.length < 20_000);
    const property = fc.property(
      fc.constantFrom(...files),
      fc.integer({ min: 1, max: 3 }),
      ({ text }, factor) => {
        const stretched = text.replace(/^ +/gm, (indent) => ' '.repeat(indent.length * factor));
        const { source } = openYaml(stretched, 'x');
        if (source.isBroken) return;
        const result = formatEdits(source);
        if (!result.ok) return;
        expect(sameTree(treeOf(result.source), treeOf(source))).toBe(true);
      },
    );
    fc.assert(property, { numRuns: 20 });
  });
});
