import { expect, test } from 'vitest';
import { readOutline } from '#shared/lens/outline.ts';
import { readLibrary } from '#shared/lens/read/library.ts';
import { sourceFile } from './place.ts';
import { ReadCache } from './read-cache.ts';

const source = sourceFile({ root: '/w', label: '' }, '/w/l.skills.yaml');
const text = 'skills:\n  - { name: a, instructions: i, surprise: 1 }\n  - { name: a }\n';

test('outline() reads a file once for whoever resolves it next', () => {
  const cache = new ReadCache();
  const outline = cache.outline('library', source.file, text);
  const { value, diagnostics } = cache.library(source, text);
  const fresh = readLibrary(text, source.file);
  expect({ outline, value, diagnostics, parses: cache.parses }).toEqual({
    outline: readOutline(text),
    value: fresh.value,
    diagnostics: fresh.diagnostics,
    parses: 1,
  });
});

test('outline() keeps nothing of a text that is another one by now', () => {
  const cache = new ReadCache();
  cache.outline('library', source.file, text);
  const { value } = cache.library(source, 'skills: [{ name: b }]\n');
  expect([value.skills.map(({ name }) => name), cache.parses]).toEqual([['b'], 2]);
});

test('outline() reads ahead only so much', () => {
  const cache = new ReadCache();
  const large = `skills: []\n# ${'x'.repeat(1_000_000)}\n`;
  for (let i = 0; i < 6; i++) cache.outline('library', `${i}.skills.yaml`, large);
  cache.outline('library', '0.skills.yaml', `${large}\n`);
  // Four that fit, and the first again: it is kept whatever it says.
  expect(cache.parses).toBe(5);
});
