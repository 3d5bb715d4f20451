import { once } from 'node:events';
import { connect } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { Access } from './access.ts';
import { WebRig } from './testing/web-rig.ts';
import { WebHost } from './web-host.ts';

const places = { home: '/nowhere', resources: '/nowhere', pageRoot: undefined, start: undefined };

async function collect<T>(stream: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = [];
  for await (const item of stream) all.push(item);
  return all;
}

describe('the way in', () => {
  test('the printed address buys a cookie once, and the cookie shows the page', async () => {
    await using rig = await WebRig.start();
    const { pathname, search } = new URL(rig.host.address);
    const entry = await rig.ask(pathname + search);
    const cookie = entry.headers['set-cookie']?.[0] ?? '';
    expect([entry.status, entry.headers.location, cookie.replace(/=[\w-]{43};/, '=…;')]).toEqual([
      303,
      '/',
      `sunwell-${rig.host.port}=…; Path=/; HttpOnly; SameSite=Strict`,
    ]);
    const page = await rig.ask('/', { headers: { cookie: cookie.split(';')[0] ?? '' } });
    expect([page.status, page.body]).toEqual([200, '<!doctype html><title>Studio</title>']);
  });

  test('a used code is refused, but only redirects the browser that has the cookie', async () => {
    await using rig = await WebRig.start();
    const cookie = await rig.enter();
    const { search } = new URL(rig.host.address);
    const replay = await rig.ask(`/${search}`);
    const again = await rig.ask(`/${search}`, { headers: { cookie } });
    expect([replay.status, replay.headers['set-cookie'], again.status, again.headers['set-cookie']]).toEqual([
      401,
      undefined,
      303,
      undefined,
    ]);
    expect(replay.body).toContain('was used or has expired: start the studio again');
  });

  test('a code expires', async () => {
    let now = 0;
    const access = new Access({ now: () => now });
    await using rig = await WebRig.start({ access });
    now = 60 * 60 * 1000;
    expect((await rig.ask(`/${new URL(rig.host.address).search}`)).status).toBe(401);
  });

  test.each(['', 'x', 'prefix'])('a wrong code (%s) does not spend the right one', async (kind) => {
    await using rig = await WebRig.start();
    const right = new URL(rig.host.address).searchParams.get('code') ?? '';
    const wrong = kind === 'prefix' ? right.slice(0, -1) : kind;
    expect((await rig.ask(`/?code=${wrong}`)).status).toBe(401);
    expect((await rig.ask(`/?code=${right}`, { method: 'HEAD' })).status).toBe(401);
    expect((await rig.ask(`/?code=${right}`)).status).toBe(303);
  });

  test('nothing is served without the cookie, or with that of another host', async () => {
    await using rig = await WebRig.start();
    await using other = await WebRig.start();
    const cookie = await other.enter();
    const asked = await Promise.all([
      rig.ask('/'),
      rig.ask('/assets/main-1a2b.js'),
      rig.ask('/rpc'),
      rig.ask('/', { headers: { cookie } }),
      rig.ask('/', { headers: { cookie: cookie.replace(/^sunwell-\d+/, `sunwell-${rig.host.port}`) } }),
      rig.ask('/', { headers: { cookie: `sunwell-${rig.host.port}=` } }),
    ]);
    expect(asked.map(({ status }) => status)).toEqual([401, 401, 401, 401, 401, 401]);
  });
});

describe('requests', () => {
  let rig: WebRig;
  let cookie: string;
  beforeAll(async () => {
    rig = await WebRig.start();
    cookie = await rig.enter();
  });
  afterAll(() => rig[Symbol.asyncDispose]());

  test('the page and its parts carry strict headers, and only hashed names are kept by browsers', async () => {
    const page = await rig.ask('/', { headers: { cookie } });
    const part = await rig.ask('/assets/main-1a2b.js', { headers: { cookie } });
    const { date: _, connection: __, ...headers } = page.headers;
    expect(headers).toEqual({
      'content-type': 'text/html; charset=utf-8',
      'content-length': '36',
      'cache-control': 'no-store',
      'content-security-policy':
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; font-src 'self' data:; " +
        "img-src 'self' data:; worker-src 'self' blob:; " +
        `connect-src 'self' ws://127.0.0.1:${rig.host.port}; base-uri 'none'; object-src 'none'; ` +
        "form-action 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cross-origin-opener-policy': 'same-origin',
      'cross-origin-resource-policy': 'same-origin',
      'permissions-policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
    });
    expect([part.headers['cache-control'], part.body]).toEqual([
      'private, max-age=31536000, immutable',
      'export {};',
    ]);
  });

  test.each([
    ['its own name', 200, {}],
    ['HEAD', 200, {}, 'HEAD'],
    ['localhost', 200, { host: 'localhost:PORT' }],
    ['IPv6 loopback', 200, { host: '[::1]:PORT' }],
    ['another name', 421, { host: 'evil.test' }],
    ['another name with our port', 421, { host: 'evil.test:PORT' }],
    ['a name that starts like ours', 421, { host: '127.0.0.1.evil.test:PORT' }],
    ['the wildcard address', 421, { host: '0.0.0.0:PORT' }],
    ['no port', 421, { host: '127.0.0.1' }],
    ['another port', 421, { host: '127.0.0.1:1' }],
    ['a user in the host', 421, { host: 'x@127.0.0.1:PORT' }],
    ['our origin', 200, { origin: 'http://127.0.0.1:PORT' }],
    ['another origin', 403, { origin: 'http://evil.test' }],
    ['the null origin', 403, { origin: 'null' }],
    ['an origin that starts like ours', 403, { origin: 'http://127.0.0.1:PORT.evil.test' }],
    ['the origin of another port', 403, { origin: 'http://127.0.0.1:1' }],
    ['our origin over TLS', 403, { origin: 'https://127.0.0.1:PORT' }],
    ['a typed address', 200, { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'navigate' }],
    ['a part asked for by the page', 200, { 'sec-fetch-site': 'same-origin', 'sec-fetch-mode': 'cors' }],
    ['a link on another site', 403, { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'navigate' }],
    ['a page on another port', 403, { 'sec-fetch-site': 'same-site' }],
    ['no page at all', 403, { 'sec-fetch-site': 'none', 'sec-fetch-mode': 'no-cors' }],
    ['a frame', 403, { 'sec-fetch-site': 'same-origin', 'sec-fetch-dest': 'iframe' }],
    ['a prefetch', 403, { 'sec-purpose': 'prefetch' }],
    ['POST', 405, {}, 'POST'],
    ['a form', 405, { 'content-type': 'text/plain' }, 'POST'],
    ['PUT', 405, {}, 'PUT'],
    ['DELETE', 405, {}, 'DELETE'],
    ['OPTIONS', 405, {}, 'OPTIONS'],
    ['TRACE', 405, {}, 'TRACE'],
    ['a body', 413, { 'content-length': '1000000000' }],
    ['a body in chunks', 413, { 'transfer-encoding': 'chunked' }],
  ])(
    'a request with %s is answered %i',
    async (_, status, given: Record<string, string>, method?: string) => {
      const named = { host: '127.0.0.1:PORT', ...given };
      const headers = Object.fromEntries(
        Object.entries(named).map(([name, value]) => [name, value.replace('PORT', String(rig.host.port))]),
      );
      const asked = await rig.ask('/', { method: method ?? 'GET', headers: { cookie, ...headers } });
      expect(asked.status).toBe(status);
    },
  );

  test.each([
    '/..%2f..%2fpackage.json',
    '/%2e%2e/home/studio.json',
    '/..%5chome',
    '/renderer/%00',
    '/rpc/',
    '/missing.js',
    '/home/studio.json',
    '/assets/',
  ])('"%s" is not found', async (path) => {
    const asked = await rig.ask(path, { headers: { cookie } });
    expect([asked.status, asked.body.includes('There is nothing at this address')]).toEqual([404, true]);
  });

  test.each([
    ['no Host', 'GET / HTTP/1.1\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
    [
      'two Hosts',
      'GET / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nHost: evil.test\r\n\r\n',
      'HTTP/1.1 400 Bad Request',
    ],
    ['no Host in HTTP/1.0', 'GET / HTTP/1.0\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
    [
      'a whole address',
      'GET http://evil.test/ HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n',
      'HTTP/1.1 400 Bad Request',
    ],
    [
      'a climbing path',
      'GET /../../etc/passwd HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\n\r\n',
      'HTTP/1.1 401 Unauthorized',
    ],
    [
      'length and chunks',
      'POST / HTTP/1.1\r\nHost: 127.0.0.1:PORT\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'HTTP/1.1 400 Bad Request',
    ],
    [
      'a huge header',
      `GET / HTTP/1.1\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`,
      'HTTP/1.1 431 Request Header Fields Too Large',
    ],
    ['a tunnel', 'CONNECT evil.test:443 HTTP/1.1\r\nHost: evil.test:443\r\n\r\n', ''],
    ['no HTTP', '\x16\x03\x01\r\n\r\n', 'HTTP/1.1 400 Bad Request'],
  ])('a connection with %s is refused', async (_, bytes, line) => {
    expect(await rig.raw(bytes.replaceAll('PORT', String(rig.host.port)))).toBe(line);
  });

  test('a connection that never finishes its headers is answered 408 by itself', async () => {
    expect(await Promise.all([rig.raw(''), rig.raw('GET / HTTP/1.1\r\nHost: 127')])).toEqual([
      'HTTP/1.1 408 Request Timeout',
      'HTTP/1.1 408 Request Timeout',
    ]);
  });
});

describe('starting and stopping', () => {
  test('a taken port is refused with its number', async () => {
    await using rig = await WebRig.start();
    const { port } = rig.host;
    await expect(WebRig.start({ port })).rejects.toMatchObject({
      code: 'host.port-in-use',
      message: `Cannot listen on port ${port}: another program uses it, choose another with --port or leave it out`,
      details: { port },
    });
  });

  test.each(['0.0.0.0', '::', '192.0.2.1', 'example.test', '127.0.0.1.evil.test'])(
    'listening on "%s" must be asked for twice',
    async (hostname) => {
      await expect(WebHost.start({ ...places, hostname })).rejects.toMatchObject({ code: 'host.exposed' });
    },
  );

  test('an address that is not of this machine is refused', async () => {
    await expect(WebRig.start({ hostname: '192.0.2.1', isExposureMeant: true })).rejects.toMatchObject({
      code: 'host.cannot-listen',
    });
  });

  test('a host that is meant to be exposed answers to no wildcard name', async () => {
    await using rig = await WebRig.start({ hostname: '0.0.0.0', isExposureMeant: true });
    const asked = await rig.ask('/', { headers: { host: `0.0.0.0:${rig.host.port}` } });
    expect([asked.status, new URL(rig.host.address).hostname !== '0.0.0.0']).toEqual([421, true]);
  });

  test('a missing page is refused', async () => {
    await expect(WebHost.start({ ...places, pageRoot: '/nowhere' })).rejects.toMatchObject({
      code: 'host.no-page',
    });
  });

  test('stopping tells the pages why, ends their streams and frees the port', async () => {
    const rig = await WebRig.start();
    const { port } = rig.host;
    const { client, socket } = await rig.page(await rig.enter());
    const closed = once(socket, 'close');
    const { workspace, seq } = await client.workspace.open({ from: 'sample' });
    const appEvents = await client.app.events();
    const workspaceEvents = await client.workspace.events({ workspace, after: seq });
    const idle = connect(port, '127.0.0.1');
    await once(idle, 'connect');
    const told = collect(appEvents);
    const ended = workspaceEvents.next();
    await client.app.info();
    await rig.host.stop('Ctrl+C');
    expect([await told, await ended, ((await closed) as [number])[0]]).toEqual([
      [{ type: 'stopping', reason: 'Ctrl+C' }],
      { done: true, value: undefined },
      1001,
    ]);
    await using next = await WebRig.start({ port });
    expect(next.host.port).toBe(port);
    await rig[Symbol.asyncDispose]();
  });

  test('a page that does not answer the goodbye cannot hold the stop up', async () => {
    const rig = await WebRig.start();
    const socket = rig.socket(await rig.enter());
    await once(socket, 'open');
    socket.pause();
    await rig.host.stop('Ctrl+C');
    await rig[Symbol.asyncDispose]();
  });
});
