// @ts-check
import path from 'node:path';

/**
 * Runs `restart` after a change of what runs in Node, once for changes that come together and never twice at a time.
 * What it cannot do is told and waits for the next change.
 * @param {import('vite').ViteDevServer} server
 * @param {() => Promise<void>} restart
 */
export function onSourceChange(server, restart) {
  /** @type {NodeJS.Timeout | undefined} */
  let timer;
  let running = Promise.resolve();
  server.watcher.on('all', (_, file) => {
    const place = path.relative(server.config.root, file).split(path.sep);
    if (!['electron', 'shared'].includes(place[0] ?? '') || file.includes('.test.')) return;
    clearTimeout(timer);
    timer = setTimeout(() => {
      running = running.then(restart).then(
        () =>
          server.config.logger.info(`Started again after a change of ${place.join('/')}`, {
            timestamp: true,
          }),
        (error) => server.config.logger.error(error instanceof Error ? (error.stack ?? '') : String(error)),
      );
    }, 100);
  });
}
