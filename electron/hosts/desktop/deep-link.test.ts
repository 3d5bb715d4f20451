import fc from 'fast-check';
import { expect, test } from 'vitest';
import { StudioError } from '#shared/errors.ts';
import { parseDeepLink } from './deep-link.ts';

function outcome(link: string, platform: NodeJS.Platform = 'linux'): string {
  try {
    return parseDeepLink(link, platform);
  } catch (error) {
    if (error instanceof StudioError && error.code === 'host.bad-link') return error.message;
    throw error;
  }
}

test('parseDeepLink() gives the folder as the path that will be opened', () => {
  expect(
    [
      'sunwell://open?path=/home/ada/lenses',
      'SUNWELL://open/?path=%2Fhome%2Fada%2Fmy%20lenses',
      'sunwell://open?path=/home/ada/../eve/x',
      'sunwell://open?path=/home/%C3%BCn%C3%AF/%E2%98%80',
    ].map((link) => outcome(link)),
  ).toEqual(['/home/ada/lenses', '/home/ada/my lenses', '/home/eve/x', '/home/ünï/☀']);
});

test.each([
  ['not an address', 'is not an address'],
  ['https://open?path=/a', 'does not start with "sunwell://"'],
  ['sunwell://run?path=/a', 'only "sunwell://open?path=…" is known'],
  ['sunwell://open/more?path=/a', 'only "sunwell://open?path=…" is known'],
  ['sunwell://eve@open?path=/a', 'only "sunwell://open?path=…" is known'],
  ['sunwell://open?path=/a#b', 'only "sunwell://open?path=…" is known'],
  ['sunwell://open', 'must name one "path" and nothing else'],
  ['sunwell://open?path=', 'must name one "path" and nothing else'],
  ['sunwell://open?path=/a&path=/b', 'must name one "path" and nothing else'],
  ['sunwell://open?path=/a&trust=yes', 'must name one "path" and nothing else'],
  ['sunwell://open?path=lenses', 'its path is not absolute'],
  ['sunwell://open?path=~/lenses', 'its path is not absolute'],
  ['sunwell://open?path=/a%00b', 'its path holds hidden characters'],
  ['sunwell://open?path=/a%0Ab', 'its path holds hidden characters'],
  ['sunwell://open?path=/a%E2%80%AEb', 'its path holds hidden characters'],
  ['sunwell://open?path=/a%E2%80%8Bb', 'its path holds hidden characters'],
  ['sunwell://open?path=/a%FF', 'its path holds hidden characters'],
  [`sunwell://open?path=/${'a'.repeat(5000)}`, 'it is too long'],
])('parseDeepLink() refuses "%s"', (link, why) => {
  expect(outcome(link)).toContain(why);
});

test('parseDeepLink() takes only local drives on Windows', () => {
  const paths = [
    'C:\\lenses',
    'd:/x/../lenses',
    '\\\\server\\share',
    '//server/share',
    '\\\\.\\pipe\\x',
    '\\x',
  ];
  expect(
    paths.map((path) =>
      outcome(`sunwell://open?path=${encodeURIComponent(path)}`, 'win32').replace(/.*": /s, ''),
    ),
  ).toEqual([
    'C:\\lenses',
    'd:\\lenses',
    ...Array.from({ length: 4 }, () => 'its path is not on a local drive'),
  ]);
});

test('parseDeepLink() refuses or gives an absolute path without hidden characters, whatever the link', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (path) => {
      const folder = outcome(`sunwell://open?path=/${encodeURIComponent(path)}`);
      if (folder.startsWith('Cannot open the link')) return;
      expect(folder).toMatch(/^\/[^\p{Cc}\p{Cf}]*$/u);
      expect(folder.split('/')).not.toContain('..');
    }),
  );
});

test('parseDeepLink() shows a refused link shortened and without hidden characters', () => {
  expect(outcome(`sunwell://x\u202e${'a'.repeat(300)}`)).toBe(
    `Cannot open the link "sunwell://x�${'a'.repeat(188)}…": only "sunwell://open?path=…" is known`,
  );
});
