import { afterEach, expect, test, vi } from 'vitest';
import { PageId } from './model/draft.ts';
import { randomName } from './random-name.ts';

afterEach(() => vi.unstubAllGlobals());

test('randomName() is a new name of a page each time, also where a browser makes no UUID', () => {
  const getRandomValues = crypto.getRandomValues.bind(crypto);
  vi.stubGlobal('crypto', { getRandomValues });
  const names = Array.from({ length: 100 }, randomName);
  expect([new Set(names).size, names.every((name) => PageId.safeParse(name).success)]).toEqual([100, true]);
});
