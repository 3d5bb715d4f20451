// @ts-check
import { createServer } from 'vite';

/**
 * Imports a TypeScript module of ours in plain Node, with whatever it loads later; close it when all is done.
 * @param {string} file
 * @param {{ root: string, define?: Record<string, string> }} options
 * @returns {Promise<{ module: Record<string, any>, close: () => Promise<void> }>}
 */
export async function importSource(file, { root, define = {} }) {
  const server = await createServer({
    configFile: false,
    root,
    define,
    logLevel: 'error',
    appType: 'custom',
    // Node runs what it is given, and the oldest that we support knows no `using`.
    oxc: { target: 'node20' },
    optimizeDeps: { noDiscovery: true },
    server: { middlewareMode: true, hmr: false, ws: false, watch: null },
  });
  return { module: await server.ssrLoadModule(file), close: () => server.close() };
}
