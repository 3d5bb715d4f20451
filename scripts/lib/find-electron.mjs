// @ts-check
import path from 'node:path';
import { isExecutable } from './find-on-path.mjs';

const binaries = {
  darwin: 'Electron.app/Contents/MacOS/Electron',
  win32: 'electron.exe',
  other: 'electron',
};

/**
 * Electron's binary in `ELECTRON_OVERRIDE_DIST_PATH` or the installed package, or undefined. Importing the `electron`
 * package instead would start a download when the binary is missing.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined}
 */
export function findElectron(env = process.env) {
  const installed = path.resolve(import.meta.dirname, '../../node_modules/electron/dist');
  const platform = process.platform === 'darwin' || process.platform === 'win32' ? process.platform : 'other';
  const binary = path.join(env.ELECTRON_OVERRIDE_DIST_PATH || installed, binaries[platform]);
  return isExecutable(binary) ? binary : undefined;
}
