import { chmod, readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { asOrdinaryUser } from '../../testing/as-ordinary-user.ts';
import { DiskWorld } from '../../testing/disk-world.ts';
import { Log } from './log.ts';
import { SettingsStore } from './settings-store.ts';

const world = new DiskWorld();
afterAll(() => world[Symbol.asyncDispose]());

async function openIn(folder: string): Promise<SettingsStore> {
  return SettingsStore.open(join(folder, 'studio.json'), new Log(join(folder, 'logs')));
}

test('settings survive a restart, and quick changes keep their order', async () => {
  const folder = await world.makeFolder();
  const store = await openIn(folder);
  await Promise.all([
    store.change({ theme: 'dark' }),
    store.change({ theme: 'light' }),
    store.change({ panes: { main: [30, 70] } }),
  ]);
  expect((await openIn(folder)).value).toEqual({
    theme: 'light',
    panes: { main: [30, 70] },
    recentWorkspaces: [],
    skillFolders: [],
    tourSeen: false,
    lensInputs: {},
    keymap: {},
    recentItems: {},
  });
});

test('settings that another studio and a newer version wrote meanwhile stay in the file', async () => {
  const folder = await world.makeFolder();
  const [one, other] = [await openIn(folder), await openIn(folder)];
  await one.change({ theme: 'dark', recentWorkspaces: [{ name: 'a', location: '/a' }] });
  const kept = JSON.parse(await world.readFile(folder, 'studio.json')) as object;
  await writeFile(join(folder, 'studio.json'), JSON.stringify({ ...kept, later: { is: 'kept' } }));
  const shown: string[] = [];
  other.follow(({ theme }) => shown.push(theme));
  await other.change({ tourSeen: true, recentWorkspaces: [{ name: 'b', location: '/b' }] });
  expect([JSON.parse(await world.readFile(folder, 'studio.json')), shown]).toMatchObject([
    {
      theme: 'dark',
      tourSeen: true,
      recentWorkspaces: [{ name: 'b' }, { name: 'a' }],
      later: { is: 'kept' },
    },
    ['system', 'dark'],
  ]);
});

test('inputs of the lenses run last are kept, those of a hundred others before them are forgotten', async () => {
  const store = await openIn(await world.makeFolder());
  await store.change({ lensInputs: { first: { a: '1' }, second: { a: '2' } } });
  await store.change({ lensInputs: { first: { a: '3' } } });
  await store.change({
    lensInputs: Object.fromEntries(Array.from({ length: 99 }, (_, i) => [`lens ${i}`, {}])),
  });
  const { first, second } = store.value.lensInputs;
  expect([first, second]).toEqual([{ a: '3' }, undefined]);
});

test.each([
  ['not JSON', '{"theme": "dark"'],
  ['the wrong shape', '{"theme": 7}'],
  ['empty', ''],
])('a settings file that is %s is set aside, told about, and defaults are used', async (_case, text) => {
  const folder = await world.makeWorkspace({ 'studio.json': text });
  const store = await openIn(folder);
  expect(store.value.theme).toBe('system');
  expect(store.notices).toMatchObject([{ code: 'settings.corrupt' }]);
  const [aside] = (await readdir(folder)).filter((name) => name.startsWith('studio.json.corrupt-'));
  expect(await world.readFile(folder, aside ?? '')).toBe(text);
});

test.skipIf(process.getuid?.() === 0)(
  'a folder that cannot be written is told about, and the change still counts',
  async () => {
    const folder = await world.makeFolder();
    await chmod(folder, 0o500);
    const store = await openIn(folder);
    expect((await store.change({ theme: 'dark' })).theme).toBe('dark');
    expect(store.notices).toMatchObject([{ code: 'settings.unwritable' }]);
    await chmod(folder, 0o700);
  },
);

test('a home that is a file is told about, and the change still counts', async () => {
  const folder = await world.makeWorkspace({ home: 'a file' });
  const store = await openIn(join(folder, 'home'));
  expect((await store.change({ theme: 'dark' })).theme).toBe('dark');
  expect(store.notices.map((notice) => notice.code)).toContain('settings.unwritable');
});

test('a settings file that cannot be read is told about and left as it is, and the change still counts', async () => {
  const text = '{"theme": "dark", "recentWorkspaces": ["/work"]}';
  const folder = await world.makeWorkspace({ 'studio.json': text });
  await chmod(join(folder, 'studio.json'), 0o000);
  await asOrdinaryUser(folder, async () => {
    const store = await openIn(folder);
    expect((await store.change({ theme: 'light' })).theme).toBe('light');
    const reason = `EACCES: permission denied, open '${join(folder, 'studio.json')}'`;
    expect(store.notices).toEqual([
      { code: 'settings.unreadable', message: `Cannot read the settings: ${reason}` },
      {
        code: 'settings.unwritable',
        message: `Settings are not kept, for the file cannot be read: ${reason}`,
      },
    ]);
  });
  await chmod(join(folder, 'studio.json'), 0o600);
  expect(await world.readFile(folder, 'studio.json')).toBe(text);
});
