import { expect, test } from 'vitest';
import { displayProblem } from './display.ts';

const wayOut = 'run "sunwell studio --web" to use a browser instead';

test('displayProblem() names the way out on a Linux machine without a display, and only there', () => {
  const onlyFirst = (display: number): boolean => display === 0;
  const problem = (environment: NodeJS.ProcessEnv, platform: NodeJS.Platform = 'linux'): string | undefined =>
    displayProblem(platform, environment, onlyFirst);
  expect([
    problem({}),
    problem({ DISPLAY: '' }),
    problem({ DISPLAY: ':7.0' }),
    problem({ DISPLAY: ':0' }),
    problem({ DISPLAY: 'localhost:10.0' }),
    problem({ WAYLAND_DISPLAY: 'wayland-0', DISPLAY: ':7' }),
    problem({}, 'darwin'),
    problem({}, 'win32'),
  ]).toEqual([
    `Cannot open a window: there is no display, ${wayOut}`,
    `Cannot open a window: there is no display, ${wayOut}`,
    `Cannot open a window: display ":7.0" is not there, ${wayOut}`,
    ...Array.from({ length: 5 }, () => undefined),
  ]);
});
