import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answerDialogs, questions } from '../dialogs.ts';
import { expect, openStudio, test } from '../studio.ts';
import type { OpenStudio } from '../studio.ts';

let studio: OpenStudio & Required<Pick<OpenStudio, 'app'>>;

test.beforeAll(async ({ hostKind, files }) => {
  const opened = await openStudio({ hostKind, files });
  if (!opened.app) throw new Error('These tests look at an Electron window');
  studio = { ...opened, app: opened.app };
});
test.afterAll(() => studio[Symbol.asyncDispose]());

test('the page has a web page’s powers only', async () => {
  const found = await studio.page.evaluate(() =>
    ['require', 'process', 'module', 'global', 'Buffer', 'electron', 'ipcRenderer', '__dirname'].filter(
      (name) => name in globalThis,
    ),
  );
  expect(found).toEqual([]);
});

test('the window is isolated and sandboxed', async () => {
  const preferences = await studio.app.evaluate(({ BrowserWindow }) => {
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as {
      getLastWebPreferences(): Electron.WebPreferences;
    };
    const { contextIsolation, sandbox, nodeIntegration, webSecurity, webviewTag } =
      contents.getLastWebPreferences();
    return { contextIsolation, sandbox, nodeIntegration, webSecurity, webviewTag };
  });
  expect(preferences).toEqual({
    contextIsolation: true,
    sandbox: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  });
});

test('the page is served with a policy that allows no inline script, eval or other origin', async () => {
  const headers = await studio.page.evaluate(async () =>
    Object.fromEntries((await fetch(location.href)).headers.entries()),
  );
  expect(headers).toMatchObject({
    'content-type': 'text/html; charset=utf-8',
    'x-content-type-options': 'nosniff',
  });
  expect(headers['content-security-policy']?.split('; ')).toEqual(
    expect.arrayContaining([
      "default-src 'none'",
      "script-src 'self'",
      "connect-src 'self'",
      "object-src 'none'",
      "base-uri 'none'",
      "frame-ancestors 'none'",
    ]),
  );
  const ran = await studio.page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'globalThis.inlineScriptRan = true';
    document.head.append(script);
    script.remove();
    return 'inlineScriptRan' in globalThis;
  });
  expect(ran).toBe(false);
});

test('the app’s origin serves nothing but the page', async () => {
  const statuses = await studio.page.evaluate(async () => {
    const paths = ['/..%2f..%2fpackage.json', '/%2e%2e/%2e%2e/package.json', '/.stamp', '/missing.js'];
    const got = await Promise.all(paths.map((path) => fetch(path)));
    const posted = await fetch('/', { method: 'POST' });
    return [...got, posted].map((response) => response.status);
  });
  expect(statuses).toEqual([404, 404, 404, 404, 405]);
});

test('no request leaves the page for another origin, even one that would answer', async () => {
  const heard: string[] = [];
  const server = createServer((request, response) => {
    heard.push(request.url ?? '');
    response.writeHead(200, { 'access-control-allow-origin': '*' }).end('hello');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  try {
    const outcomes = await studio.page.evaluate(async (address) => {
      const image = new Image();
      const loaded = new Promise((resolve) => {
        image.onload = () => resolve('loaded');
        image.onerror = () => resolve('refused');
      });
      image.src = `${address}image`;
      const fetched = [`${address}fetch`, 'file:///etc/passwd'].map((target) =>
        fetch(target).then(
          () => 'fetched',
          () => 'refused',
        ),
      );
      return Promise.all([loaded, ...fetched]);
    }, address);
    expect(outcomes).toEqual(['refused', 'refused', 'refused']);
    // Below the page's policy: the session itself refuses as well.
    const direct = await studio.app.evaluate(
      ({ session }, address) =>
        session.defaultSession.fetch(`${address}session`).then(
          () => 'fetched',
          () => 'refused',
        ),
      address,
    );
    expect([direct, heard]).toEqual(['refused', []]);
  } finally {
    server.close();
  }
});

test('every permission is denied', async () => {
  const states = await studio.page.evaluate(async () => [
    await Notification.requestPermission(),
    ...(await Promise.all(
      (['geolocation', 'camera', 'microphone', 'notifications'] as PermissionName[]).map(
        async (name) => (await navigator.permissions.query({ name })).state,
      ),
    )),
    await new Promise((resolve) =>
      navigator.geolocation.getCurrentPosition(
        () => resolve('located'),
        () => resolve('denied'),
      ),
    ),
    await navigator.mediaDevices.getUserMedia({ audio: true }).then(
      () => 'listening',
      () => 'denied',
    ),
  ]);
  expect(states).toEqual(Array.from({ length: 7 }, () => 'denied'));
});

test('navigation and new windows are refused; only an https link is offered, and only with consent', async () => {
  await studio.app.evaluate(({ shell }) => {
    globalThis.openedAddresses = [];
    shell.openExternal = (address) => {
      globalThis.openedAddresses.push(address);
      return Promise.resolve();
    };
  });
  const opened = (): Promise<string[]> => studio.app.evaluate(() => globalThis.openedAddresses);
  const home = studio.page.url();

  await answerDialogs(studio.app, 'Cancel');
  const windows = await studio.page.evaluate(() =>
    ['http://example.org/', 'file:///etc/passwd', 'about:blank', 'app://studio/', 'mailto:a@b.c'].map(
      (address) => String(window.open(address)),
    ),
  );
  expect(windows).toEqual(Array.from({ length: 5 }, () => 'null'));
  await studio.page.evaluate(() => {
    location.href = 'http://example.org/';
  });
  await studio.page.evaluate(() => {
    location.href = 'https://example.org/declined';
  });
  await expect
    .poll(() => questions(studio.app))
    .toEqual([
      {
        message: 'Open this address in your browser?',
        detail: 'https://example.org/declined',
        buttons: ['Open', 'Cancel'],
        defaultId: 1,
      },
    ]);
  expect(await opened()).toEqual([]);

  await answerDialogs(studio.app, 'Open');
  await studio.page.evaluate(() => void window.open('https://example.org/agreed'));
  await expect.poll(opened).toEqual(['https://example.org/agreed']);
  expect([studio.page.url(), studio.app.windows().length]).toEqual([home, 1]);
});

test('a frame cannot be embedded', async () => {
  const frames = await studio.page.evaluate(async () => {
    const frame = document.createElement('iframe');
    const loaded = new Promise((resolve) => frame.addEventListener('load', resolve));
    frame.src = 'app://studio/';
    document.body.append(frame);
    await loaded;
    const isReadable = frame.contentDocument !== null;
    frame.remove();
    return isReadable;
  });
  expect(frames).toBe(false);
});

declare global {
  /** In Electron's main process: addresses handed to the user's browser. */
  var openedAddresses: string[];
}
