import { expect, test } from 'vitest';
import { seatbeltProfile } from './seatbelt-profile.ts';

const spec = {
  workspace: '/private/var/tmp/s/all',
  scratch: '/private/var/tmp/s/run',
  placed: ['/private/var/tmp/s/input.json'],
  prefixes: ['/opt/homebrew/Cellar/node/22'],
};

test('seatbeltProfile() denies by default, and network, services and set-id by name', () => {
  const lines = seatbeltProfile(spec).split('\n');
  expect(lines.slice(0, 2)).toEqual(['(version 1)', '(deny default)']);
  expect(lines).toEqual(
    expect.arrayContaining(['(deny network*)', '(deny mach-lookup)', '(deny file-write-setugid)']),
  );
});

test('seatbeltProfile() lets only the scratch folder be written', () => {
  const written = seatbeltProfile(spec)
    .split('\n')
    .filter((line) => line.includes('file-write*') || line.includes('file-write-data'));
  expect(written.filter((line) => !line.includes('"/dev/'))).toEqual([
    '(allow file-write* (subpath "/private/var/tmp/s/run"))',
  ]);
});

test('seatbeltProfile() never names the home folder or the whole disk', () => {
  expect(seatbeltProfile(spec)).not.toMatch(/subpath "\/"|\/Users/);
});

test('seatbeltProfile() keeps a quote in a path inside the string', () => {
  const profile = seatbeltProfile({ ...spec, workspace: '/tmp/a") (allow default) ("' });
  expect(profile).toContain('(subpath "/tmp/a\\") (allow default) (\\"")');
  expect(() => seatbeltProfile({ ...spec, workspace: 'relative' })).toThrow(/absolute/);
});
