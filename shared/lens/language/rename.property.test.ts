import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { applyEdits } from '../edit/text-lines.ts';
import { corpusFiles } from '../testing/corpus.ts';
import type { LanguageFile } from './file-facts.ts';
import type { Mention } from './mention.ts';
import { renameAt } from './rename.ts';
import type { RenameResult } from './rename.ts';
import { Symbols } from './symbols.ts';

const files: readonly LanguageFile[] = corpusFiles().map(({ name, kind, text }) => ({
  file: name,
  kind,
  text,
}));

const words = fc.array(fc.stringMatching(/^[a-z][a-z0-9]{0,6}$/), { minLength: 1, maxLength: 3 });

function applied(before: readonly LanguageFile[], result: RenameResult & { ok: true }): LanguageFile[] {
  return before.map((file) => ({
    ...file,
    text: applyEdits(
      file.text,
      result.edits.filter((edit) => edit.file === file.file),
    ),
  }));
}

describe('renameAt() on real files', () => {
  const symbols = new Symbols(files);
  const targets = symbols.mentions.filter(({ span }) => span !== undefined);
  const offsets = (mention: Mention): number => mention.span!.start;

  it('and back again gives the bytes of the start, where every reference was spelled like the definition', () => {
    expect(targets.length).toBeGreaterThan(4);
    const property = fc.property(fc.constantFrom(...targets), words, (mention, parts) => {
      const newName = parts.join('-');
      const result = renameAt({ file: mention.file, offset: offsets(mention) }, { files, newName });
      if (!result.ok) return;
      const after = applied(files, result);
      const sameSpelling = symbols.same(mention).every(({ name }) => name === mention.name);
      const back = renameAt(
        { file: mention.file, offset: offsetAfter(result, mention) },
        { files: after, newName: mention.name },
      );
      if (!back.ok) {
        // A name from the wild may break the rule for new names; nothing else may stand in the way.
        expect(back.message).toMatch(/a skill name has/);
        return;
      }
      if (sameSpelling) expect(applied(after, back)).toEqual(files);
      else
        expect(new Symbols(applied(after, back)).meaning(mention.kind)).toBe(symbols.meaning(mention.kind));
    });
    fc.assert(property, { numRuns: 30 });
  });

  it('touches nothing but the names', () => {
    const property = fc.property(fc.constantFrom(...targets), (mention) => {
      const newName = 'renamed-in-a-test';
      const result = renameAt({ file: mention.file, offset: offsets(mention) }, { files, newName });
      if (!result.ok) return;
      for (const { file, start, end } of result.edits) {
        const old = files.find((one) => one.file === file)!.text.slice(start, end);
        expect(
          old
            .replace(/^["']|["']$/g, '')
            .toLowerCase()
            .replaceAll('_', '-'),
        ).toBe(mention.name.toLowerCase().replaceAll('_', '-'));
      }
    });
    fc.assert(property, { numRuns: 30 });
  });
});

/** Where the mention starts once the edits before it in its file are made. */
function offsetAfter(result: RenameResult & { ok: true }, { file, span }: Mention): number {
  const before = result.edits.filter((edit) => edit.file === file && edit.end <= span!.start);
  return before.reduce((at, { start, end, text }) => at + text.length - (end - start), span!.start);
}
