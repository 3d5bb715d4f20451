// @ts-check
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import path from 'node:path';

const folder = path.resolve(import.meta.dirname, '../../node_modules/electron');

/**
 * Lets Electron's package fetch its binary, silently and for a few seconds at most: without it the studio still has a
 * browser to run in, and a user who waits for nothing has a worse start.
 * @param {number} timeoutMs
 */
export function fetchElectron(timeoutMs) {
  const { status } = spawnSync(process.execPath, [path.join(folder, 'install.js')], {
    stdio: 'ignore',
    timeout: timeoutMs,
    killSignal: 'SIGKILL',
  });
  // Killed while it unpacked, it leaves a binary that starts and then misses its parts.
  if (status !== 0 && existsSync(path.join(folder, 'dist'))) {
    rmSync(path.join(folder, 'dist'), { recursive: true });
  }
}
