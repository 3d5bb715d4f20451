import { once } from 'node:events';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { upgradeStatus, WebRig } from './testing/web-rig.ts';

test.each([
  ['all in order', 101, {}, {}],
  ['what Chromium says', 101, {}, { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'websocket' }],
  ['no origin', 403, { origin: undefined }, {}],
  ['another origin', 403, { origin: 'http://evil.test' }, {}],
  ['the null origin', 403, { origin: 'null' }, {}],
  ['another host', 421, {}, { host: 'evil.test' }],
  ['no cookie', 401, {}, { cookie: '' }],
  ['a page of another site', 403, {}, { 'sec-fetch-site': 'cross-site' }],
  ['a typed address', 403, {}, { 'sec-fetch-site': 'none' }],
  ['another mode', 403, {}, { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'navigate' }],
])('an upgrade with %s is answered %i', async (_, status, options, headers) => {
  await using rig = await WebRig.start();
  const socket = rig.socket(await rig.enter(), { ...(options as { origin?: string }), headers });
  expect(await upgradeStatus(socket)).toBe(status);
});

test('a frame beyond the limit closes the page’s connection and no other', async () => {
  await using rig = await WebRig.start();
  const cookie = await rig.enter();
  const [greedy, modest] = [await rig.page(cookie), await rig.page(cookie)];
  greedy.socket.send('x'.repeat(3 * 1024 * 1024 + 1));
  const [code] = (await once(greedy.socket, 'close')) as [number];
  expect([code, (await modest.client.app.info()).host]).toEqual([1009, 'web']);
});

test.each([
  'no JSON',
  'null',
  '[]',
  '{"i":1,"p":{"u":"/app/info"}}',
  '{"i":"1","p":{}}',
  '{"i":"1","p":{"u":"http://evil.test/"}}',
  '{"i":"1","t":3,"p":{}}',
  '{"i":"1","p":{"u":"/app/info","h":{"content-disposition":5}}}',
])('the message %s closes the connection', async (message) => {
  await using rig = await WebRig.start();
  const { socket } = await rig.page(await rig.enter());
  socket.send(message);
  expect(((await once(socket, 'close')) as [number])[0]).toBe(1007);
});

test('a page cannot have more than 256 calls and streams under way', async () => {
  await using rig = await WebRig.start();
  const { socket } = await rig.page(await rig.enter());
  for (let id = 0; id <= 256; id++) socket.send(`{"i":"${id}","p":{"u":"/app/events"}}`);
  expect(((await once(socket, 'close')) as [number])[0]).toBe(1008);
});

test('a page that gives no sign of life is dropped, one that does stays', async () => {
  await using rig = await WebRig.start({ pingIntervalMs: 20 });
  const cookie = await rig.enter();
  const alive = await rig.page(cookie);
  const dead = rig.socket(cookie, { autoPong: false });
  expect(((await once(dead, 'close')) as [number])[0]).toBe(1006);
  expect((await alive.client.app.info()).host).toBe('web');
});

test('two pages on one folder share its workspace and see each other’s changes', async () => {
  await using rig = await WebRig.start();
  const cookie = await rig.enter();
  const [first, second] = [await rig.page(cookie), await rig.page(cookie)];
  const folder = join(rig.folder, 'page');
  const one = await first.client.workspace.open({ from: 'folder', folder });
  const two = await second.client.workspace.open({ from: 'folder', folder });
  first.socket.terminate();
  expect([two.workspace, await second.client.workspace.snapshot(two)]).toEqual([one.workspace, one]);
});
