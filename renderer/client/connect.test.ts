import { afterEach, describe, expect, it, test, vi } from 'vitest';
import { connect, hasPort } from './connect.ts';

const chrome = 'Mozilla/5.0 Chrome/130.0.0.0 Safari/537.36';
const electron = 'Mozilla/5.0 Chrome/130.0.0.0 Electron/33.0.0 Safari/537.36';

describe('hasPort()', () => {
  it.each([
    { protocol: 'app:', userAgent: electron, isDevelopment: false, expected: true },
    { protocol: 'http:', userAgent: electron, isDevelopment: true, expected: true },
    { protocol: 'http:', userAgent: chrome, isDevelopment: true, expected: false },
    { protocol: 'http:', userAgent: electron, isDevelopment: false, expected: false },
  ])('is $expected for $protocol in $userAgent (development: $isDevelopment)', ({ expected, ...page }) => {
    expect(hasPort(page)).toBe(expected);
  });
});

afterEach(() => vi.unstubAllGlobals());

test('connect() asked for twice at once opens two channels, each with a port of its own', async () => {
  const asked: Promise<unknown>[] = [];
  const page = Object.assign(new EventTarget(), {
    location: { protocol: 'app:', origin: 'app://studio' },
    navigator: { userAgent: electron },
    postMessage: (data: string) => {
      if (data !== 'sunwell:connect') return;
      const { port1, port2 } = new MessageChannel();
      asked.push(new Promise((resolve) => port1.addEventListener('message', resolve, { once: true })));
      port1.start();
      const given = Object.assign(new Event('message'), {
        source: page,
        data: 'sunwell:port',
        ports: [port2],
      });
      queueMicrotask(() => page.dispatchEvent(given));
    },
  });
  vi.stubGlobal('window', page);
  const [one, other] = await Promise.all([connect(), connect()]);
  void one.client.app.info();
  void other.client.app.info();
  expect(await Promise.all(asked)).toHaveLength(2);
});
