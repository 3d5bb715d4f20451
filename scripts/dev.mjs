// @ts-check
import { createServer as createTcpServer } from 'node:net';
import path from 'node:path';
import { createServer } from 'vite';
import { serveDesktop } from './lib/dev-desktop.mjs';
import { serveWeb } from './lib/dev-web.mjs';

// The page with hot reload, against a host that starts again when its own sources change:
// `npm run dev [-- DIR]` in a browser, `npm run dev:desktop [-- DIR]` in a window.
const root = path.resolve(import.meta.dirname, '..');
const words = process.argv.slice(2);
const isDesktop = words.includes('--desktop');
const folder = words.find((word) => !word.startsWith('-'));
const start = folder === undefined ? undefined : path.resolve(process.env.INIT_CWD ?? process.cwd(), folder);

const hostPort = await freePort();
const hostOrigin = `http://127.0.0.1:${hostPort}`;
const server = await createServer({
  configFile: path.join(root, 'vite.config.ts'),
  server: {
    host: '127.0.0.1',
    proxy: isDesktop ? {} : { '/rpc': rpcProxy(), '^/\\?code=': { target: hostOrigin, changeOrigin: true } },
  },
  plugins: [pageAtRoot()],
});
await server.listen();
const { port } = /** @type {import('node:net').AddressInfo} */ (server.httpServer?.address());
const origin = `http://127.0.0.1:${port}`;

try {
  const stop = isDesktop
    ? await serveDesktop({ server, origin, start, closed: () => void end(0) })
    : await serveWeb({ server, origin, start, hostPort });
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM']))
    process.once(name, () => void stop().then(() => end(0)));
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  await end(1);
}

/** @param {number} exitCode */
async function end(exitCode) {
  process.exitCode = exitCode;
  await server.close();
}

/** The host sees its own origin; that of the page is checked here, in its place. */
function rpcProxy() {
  return /** @type {import('vite').ProxyOptions} */ ({
    target: hostOrigin,
    changeOrigin: true,
    ws: true,
    configure: (proxy) => {
      proxy.on('proxyReqWs', (proxied, request, socket) => {
        if (request.headers.origin === origin) proxied.setHeader('origin', hostOrigin);
        else socket.destroy();
      });
    },
  });
}

/** Vite serves the page below its root, where the build finds it; the code exchange ends at `/`. */
function pageAtRoot() {
  return /** @type {import('vite').Plugin} */ ({
    name: 'page-at-root',
    configureServer: ({ middlewares }) => {
      middlewares.use((request, response, next) => {
        if (request.url !== '/') return next();
        response.writeHead(302, { location: '/renderer/index.html' }).end();
      });
    },
  });
}

/** @returns {Promise<number>} */
function freePort() {
  return new Promise((resolve, reject) => {
    const probe = createTcpServer().once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const address = /** @type {import('node:net').AddressInfo} */ (probe.address());
      probe.close(() => resolve(address.port));
    });
  });
}
