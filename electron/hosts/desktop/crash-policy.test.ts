import { expect, test } from 'vitest';
import { CrashPolicy } from './crash-policy.ts';

test('CrashPolicy reloads after a lone crash and asks after one that follows within a minute', () => {
  const policy = new CrashPolicy();
  expect([0, 60_000, 119_999, 120_500, 300_000].map((now) => policy.next(now))).toEqual([
    'reload',
    'reload',
    'ask',
    'ask',
    'reload',
  ]);
});
