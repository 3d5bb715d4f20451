import { expect, test } from 'vitest';
import { isExternalLink, isPage, pageAddress } from './page-policy.ts';

test('pageAddress() is our own scheme, or the Vite server of this machine in development', () => {
  const server = { SUNWELL_DEV_SERVER: 'http://127.0.0.1:5173' };
  expect([
    pageAddress({}, false).href,
    pageAddress(server, false).href,
    pageAddress(server, true).href,
  ]).toEqual(['app://studio/', 'http://127.0.0.1:5173/renderer/index.html', 'app://studio/']);
});

test.each(['https://127.0.0.1', 'http://evil.example', 'http://127.0.0.1.evil.example', 'file:///x', 'x'])(
  'pageAddress() refuses the development server "%s"',
  (server) => {
    expect(() => pageAddress({ SUNWELL_DEV_SERVER: server }, false)).toThrow('http://127.0.0.1');
  },
);

test('isPage() knows the page and nothing that resembles it', () => {
  const page = new URL('app://studio/');
  expect(
    [
      'app://studio/',
      'app://studio/?a#b',
      'app://studio/other.html',
      'app://studio.evil/',
      'app://eve/',
      'https://studio/',
      'javascript:1',
      '',
    ].filter((address) => isPage(address, page)),
  ).toEqual(['app://studio/', 'app://studio/?a#b']);
});

test('isExternalLink() lets only plain https addresses out', () => {
  expect(
    [
      'https://example.org/a?b#c',
      'http://example.org',
      'https://user:secret@example.org',
      'file:///etc/passwd',
      'sunwell://open?path=/a',
      'javascript:alert(1)',
      'ms-msdt:/id',
      'nonsense',
    ].filter(isExternalLink),
  ).toEqual(['https://example.org/a?b#c']);
});
