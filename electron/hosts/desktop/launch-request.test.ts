import { expect, test } from 'vitest';
import { parseLaunch } from './launch-request.ts';

const workingDirectory = '/work';

test('parseLaunch() takes the first argument after the app path that is no flag', () => {
  const parse = (...argv: string[]): unknown =>
    parseLaunch(['/bin/electron', ...argv], { hasAppPath: true, workingDirectory });
  expect([
    parse('/app'),
    parse('/app', '--sample'),
    parse('/app', 'lenses', 'more'),
    parse('--no-sandbox', '--inspect=0', '/app', '--trace', '/data/lenses', ''),
    parse('/app', '', '..'),
    parse('/app', 'sunwell://open?path=/a'),
    parse('/app', 'SUNWELL:nonsense'),
  ]).toEqual([
    {},
    { sample: true },
    { folder: '/work/lenses' },
    { folder: '/data/lenses' },
    { folder: '/' },
    { link: 'sunwell://open?path=/a' },
    { link: 'SUNWELL:nonsense' },
  ]);
});

test('parseLaunch() takes the very first argument of a packaged app', () => {
  expect(
    parseLaunch(['/opt/sunwell', '--no-sandbox', 'lenses'], { hasAppPath: false, workingDirectory }),
  ).toEqual({ folder: '/work/lenses' });
});
