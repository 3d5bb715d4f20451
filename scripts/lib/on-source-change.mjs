// @ts-check
import path from 'node:path';

/**
 * Runs `restart` after a change that concerns it, once for changes that come together and never twice at a time.
 * What it cannot do is told and waits for the next change.
 * @param {import('vite').ViteDevServer} server
 * @param {{ concerns: (file: string) => boolean, restart: () => Promise<void> }} reaction
 */
export function onSourceChange(server, { concerns, restart }) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let running = Promise.resolve();
  server.watcher.on('all', (_, file) => {
    if (!concerns(file)) return;
    const place = path.relative(server.config.root, file);
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(restart).then(
        () =>
          server.config.logger.info(`Started again after a change of ${place}`, {
            timestamp: true,
          }),
        (error) => server.config.logger.error(error instanceof Error ? (error.stack ?? '') : String(error)),
      );
    }, 100);
  });
}
