import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { DiskWorld } from '../../testing/disk-world.ts';
import { parseNpmConfig, readNpmConfig } from './npm-config.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

test('parseNpmConfig() takes registries and credentials, and fills in the environment', () => {
  const text = [
    '; a comment',
    '# another = one',
    'registry = http://127.0.0.1:1/',
    '@team:registry="http://127.0.0.1:2/"',
    '//127.0.0.1:2/:_authToken=${TEAM_TOKEN}',
    '//127.0.0.1:3/:_auth = dXNlcjpwYXNz==',
    '//127.0.0.1:4/:_authToken=${UNSET}',
    "//127.0.0.1:5/:_authToken='${UNSET?}'",
    'script-shell=/bin/evil',
    'omit[]=dev',
    'flag',
  ].join('\r\n');
  expect(parseNpmConfig(text, { TEAM_TOKEN: 'secret' })).toEqual({
    registry: 'http://127.0.0.1:1/',
    '@team:registry': 'http://127.0.0.1:2/',
    '//127.0.0.1:2/:_authToken': 'secret',
    '//127.0.0.1:3/:_auth': 'dXNlcjpwYXNz==',
    '//127.0.0.1:4/:_authToken': '${UNSET}',
    '//127.0.0.1:5/:_authToken': '',
  });
});

test('readNpmConfig() reads the file, and takes none for an empty one', async () => {
  const folder = await world.makeWorkspace({ '.npmrc': 'registry=${PLACE}\n' });
  const env = { PLACE: 'http://127.0.0.1:1/' };
  expect(await readNpmConfig(join(folder, '.npmrc'), env)).toEqual({ registry: 'http://127.0.0.1:1/' });
  expect(await readNpmConfig(join(folder, 'none'), env)).toEqual({});
});
