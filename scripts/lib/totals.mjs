// @ts-check
import { existsSync, readFileSync } from 'node:fs';

/** @typedef {{ passed: number, failed: number }} Totals */

/**
 * Passed and failed tests of a Vitest or Playwright JSON report; a step that failed without a failed test counts as one.
 * @param {{ report: string | undefined, isOk: boolean }} step
 * @returns {Totals}
 */
export function totalsOf({ report, isOk }) {
  const { passed, failed } =
    report !== undefined && existsSync(report)
      ? readTotals(JSON.parse(readFileSync(report, 'utf8')))
      : { passed: 0, failed: 0 };
  return { passed, failed: isOk ? failed : Math.max(failed, 1) };
}

/**
 * @param {{ numPassedTests: number, numFailedTests: number } | { stats: { expected: number, unexpected: number, flaky: number } }} document
 * @returns {Totals}
 */
function readTotals(document) {
  if ('numPassedTests' in document)
    return { passed: document.numPassedTests, failed: document.numFailedTests };
  const { expected, unexpected, flaky } = document.stats;
  return { passed: expected + flaky, failed: unexpected };
}
