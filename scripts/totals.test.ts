import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { totalsOf } from './lib/totals.mjs';

test('totalsOf() reads both reporters and never calls a failed step passed', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'sunwell-totals-'));
  const vitest = path.join(folder, 'unit.json');
  const playwright = path.join(folder, 'e2e.json');
  writeFileSync(vitest, JSON.stringify({ numPassedTests: 7, numFailedTests: 0 }));
  writeFileSync(playwright, JSON.stringify({ stats: { expected: 3, unexpected: 2, flaky: 1, skipped: 4 } }));
  try {
    expect([
      totalsOf({ report: vitest, isOk: true }),
      totalsOf({ report: vitest, isOk: false }),
      totalsOf({ report: playwright, isOk: false }),
      totalsOf({ report: path.join(folder, 'missing.json'), isOk: false }),
      totalsOf({ report: undefined, isOk: true }),
    ]).toEqual([
      { passed: 7, failed: 0 },
      { passed: 7, failed: 1 },
      { passed: 4, failed: 2 },
      { passed: 0, failed: 1 },
      { passed: 0, failed: 0 },
    ]);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
