// @ts-check
import { homedir } from 'node:os';
import path from 'node:path';
import { createServerModuleRunner } from 'vite';
import { onSourceChange } from './on-source-change.mjs';

/**
 * Runs the web host from its sources, on one port and for one browser however often it starts again.
 * @param {{ server: import('vite').ViteDevServer, origin: string, start: string | undefined, hostPort: number }} options
 * @returns {Promise<() => Promise<void>>} stops the host
 */
export async function serveWeb({ server, origin, start, hostPort }) {
  const { root } = server.config;
  const runner = createServerModuleRunner(server.environments['ssr'], { hmr: false });
  const { Access } = await runner.import(path.join(root, 'electron/hosts/web/access.ts'));
  const access = new Access();

  const load = () => runner.import(path.join(root, 'electron/hosts/web/web-host.ts'));
  const startHost = (/** @type {any} */ { WebHost }) =>
    WebHost.start({
      home: process.env.SUNWELL_HOME || path.join(homedir(), '.sunwell'),
      resources: path.join(root, 'resources'),
      pageRoot: undefined,
      start: start === undefined ? { from: 'sample' } : { from: 'folder', folder: start },
      port: hostPort,
      access,
    });

  let host = await startHost(await load());
  onSourceChange(server, {
    concerns: (file) => (server.environments['ssr'].moduleGraph.getModulesByFile(file)?.size ?? 0) > 0,
    restart: async () => {
      runner.clearCache();
      // Sources that cannot be loaded leave the running host as it is.
      const loaded = await load();
      await host.stop('The studio starts again after a change of its sources');
      host = await startHost(loaded);
    },
  });
  process.stdout.write(`${origin}/?code=${access.code}\n`);
  return () => host.stop('Ctrl+C');
}
