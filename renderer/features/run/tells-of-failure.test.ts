import { expect, test } from 'vitest';
import { tellsOfFailure } from './tells-of-failure.ts';

test('tellsOfFailure() knows the errors of every language, and good news in their words', () => {
  const bad = [
    ...['ValueError: no luck', 'java.lang.NullPointerException', 'error[E0308]: mismatched types', 'ERROR x'],
    ...[
      'Traceback (most recent call last):',
      "thread 'main' panicked at src/main.rs",
      'panic: nil map',
      'x failed',
    ],
    ...[
      'Uncaught TypeError: x is not a function',
      '3 errors, 0 failed',
      '10 errors',
      'fatal: not a git repository',
    ],
  ];
  const good = [
    ...[
      '0 errors, 2 warnings',
      '12 passed, 0 failed',
      'No errors',
      'errors: 0',
      'without an error',
      'failures=0',
    ],
    ...['terror', 'error_count', 'stderr is empty', 'an ordinary line'],
  ];
  expect([bad.filter((line) => !tellsOfFailure(line)), good.filter(tellsOfFailure)]).toEqual([[], []]);
});
