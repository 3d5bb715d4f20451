// @ts-check
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import path from 'node:path';
import { createBuilder } from 'vite';
import { findElectron } from './find-electron.mjs';
import { onSourceChange } from './on-source-change.mjs';

/**
 * Runs Electron on the hot page, built and started again when its sources change.
 * @param {{ server: import('vite').ViteDevServer, origin: string, start: string | undefined, closed: () => void }} options
 * @returns {Promise<() => Promise<void>>} stops Electron
 */
export async function serveDesktop({ server, origin, start, closed }) {
  const { root, configFile } = server.config;
  const electron = findElectron();
  if (electron === undefined)
    throw new Error(
      'Cannot open a window: Electron’s binary is not installed, run "npm run dev" for a browser instead',
    );

  const build = async () => {
    // What is built here is not what a full build would leave.
    rmSync(path.join(root, 'dist/.stamp'), { force: true });
    const builder = await createBuilder({ configFile: configFile ?? false, logLevel: 'warn' });
    for (const name of ['node', 'preload']) {
      const environment = builder.environments[name];
      if (environment) await builder.build(environment);
    }
  };
  const open = () => {
    const flags = process.getuid?.() === 0 ? ['--no-sandbox'] : [];
    const child = spawn(electron, [...flags, root, ...(start === undefined ? [] : [start])], {
      stdio: 'inherit',
      env: { ...process.env, SUNWELL_DEV_SERVER: origin },
    });
    // Closed by the user, not by a restart: there is nothing left to develop against.
    child.on('exit', () => child === current && closed());
    return child;
  };
  /** @type {import('node:child_process').ChildProcess | undefined} */
  let current;
  const close = async () => {
    const child = current;
    current = undefined;
    if (!child || child.exitCode !== null) return;
    child.kill();
    await once(child, 'exit');
  };

  await build();
  current = open();
  onSourceChange(server, {
    concerns: (file) =>
      ['electron', 'shared'].includes(path.relative(root, file).split(path.sep)[0] ?? '') &&
      !file.includes('.test.'),
    restart: async () => {
      await build();
      await close();
      current = open();
    },
  });
  process.stdout.write(`${origin}\n`);
  return close;
}
