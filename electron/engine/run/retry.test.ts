import { expect, test } from 'vitest';
import { RetryPolicy } from './retry.ts';

test.each([
  [{}, 'timeout', [true, true, false]],
  [{}, 'crash', [true, false, false]],
  [{}, 'script_failure', [false, false, false]],
  [{}, 'validation_failure', [false, false, false]],
  [{ retryOn: ['validation_failure'] }, 'validation_failure', [true, true, false]],
  [{ retryOn: ['script_failure'], maxAttempts: 2 }, 'crash', [true, false, false]],
  [{ retryOn: ['timeout'], abortOn: ['timeout'] }, 'timeout', [false, false, false]],
  [{ retryOn: ['security_violation'] }, 'security_violation', [false, false, false]],
  [{ maxAttempts: 0 }, 'timeout', [false, false, false]],
  [{ maxAttempts: Number.NaN }, 'timeout', [false, false, false]],
] as const)('RetryPolicy %j after %s: %j', (policy, cause, expected) => {
  const retry = new RetryPolicy(policy);
  expect([1, 2, 3].map((attempt) => retry.retries(cause, attempt))).toEqual(expected);
});

test('RetryPolicy says how often a step is tried at most, by how it failed', () => {
  const retry = new RetryPolicy({ retryOn: ['timeout'], maxAttempts: 4 });
  const causes = ['timeout', 'crash', 'script_failure'] as const;
  expect(causes.map((cause) => retry.attemptsFor(cause))).toEqual([4, 2, 1]);
});

test('RetryPolicy keeps attempts and pauses within bounds', () => {
  const retry = new RetryPolicy({ maxAttempts: 1e6, backoffMs: [5, 1e9, -1] });
  expect([retry.attemptsFor('timeout'), [1, 2, 3, 9].map((attempt) => retry.pauseMs(attempt))]).toEqual([
    10,
    [5, 60_000, 0, 0],
  ]);
  expect(new RetryPolicy({ backoffMs: [] }).pauseMs(1)).toBe(0);
});
