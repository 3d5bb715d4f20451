import { expect, test } from 'vitest';
import type { Reason } from '#shared/model/plan.ts';
import { keptFileTexts } from './kept-file-texts.ts';

const read =
  (contents: ReadonlyMap<string, Uint8Array>) =>
  (path: string, maxBytes: number): Uint8Array | undefined => {
    const bytes = contents.get(path);
    return bytes && bytes.length <= maxBytes ? bytes : undefined;
  };
const kept = (files: Readonly<Record<string, string | Uint8Array>>, reasons: readonly Reason[] = []) => {
  const contents = new Map(Object.entries(files).map(([path, content]) => [path, Buffer.from(content)]));
  const digests = new Map([...contents.keys()].map((path) => [path, 'digest']));
  return keptFileTexts(digests, reasons, read(contents));
};
const changed = (subject: string): Reason => ({ id: 'file-changed', subject, sentence: 's' });

test('keptFileTexts() keeps small texts byte for byte, and nothing else', () => {
  const files = {
    'a.md': '\ufeffA\r\n',
    'b.png': new Uint8Array([0x89, 0x50, 0]),
    'c.txt': new Uint8Array([0xff, 0x41]),
    'd.md': 'x'.repeat(64 * 1024 + 1),
    'e.md': '',
  };
  expect(kept(files)).toEqual(['\ufeffA\r\n', '']);
});

test('keptFileTexts() ends at half a mebibyte for a step', () => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`${i}.md`, 'x'.repeat(60_000)]));
  expect(kept({ ...files, 'small.md': 's' })).toHaveLength(9);
});

test('keptFileTexts() of a step that sees many files keeps those that changed before', () => {
  const files = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`${i}.md`, `${i}`]));
  expect(kept(files)).toEqual([]);
  expect(kept(files, [changed('7.md'), changed('and 3 more'), changed('gone.md')])).toEqual(['7']);
});
