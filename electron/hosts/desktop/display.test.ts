import { expect, test } from 'vitest';
import { displayProblem } from './display.ts';

test('displayProblem() names the way out on a Linux machine without a display, and only there', () => {
  expect([
    displayProblem('linux', {}),
    displayProblem('linux', { DISPLAY: ':0' }),
    displayProblem('linux', { WAYLAND_DISPLAY: 'wayland-0' }),
    displayProblem('darwin', {}),
    displayProblem('win32', {}),
  ]).toEqual([
    'Cannot open a window: there is no display, run "sunwell studio --web" to use a browser instead',
    undefined,
    undefined,
    undefined,
    undefined,
  ]);
});
