import fs from 'node:fs';
import promises from 'node:fs/promises';
import { expect, test } from 'vitest';
import { loadOfNode } from './load-of-node.ts';

const folder = import.meta.dirname;

test('a module that comes late is the same for whoever names, lists or spreads what is in it', () => {
  const late = loadOfNode('node:fs/promises', folder) as typeof promises;
  expect([late.readFile, 'readFile' in late, 'nothing' in late]).toEqual([promises.readFile, true, false]);
  expect(Object.keys(late)).toEqual(Object.keys(promises));
  expect({ ...late }).toEqual({ ...promises });
});

test('all others are there at once, and what Node does not have is told as Node tells it', () => {
  expect(loadOfNode('node:fs', folder)).toBe(fs);
  expect(loadOfNode('fs', folder)).toBe(fs);
  expect(() => loadOfNode('no-such-package', folder)).toThrow("Cannot find module 'no-such-package'");
});
