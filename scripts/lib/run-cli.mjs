// @ts-check
import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import path from 'node:path';

const cli = path.resolve(import.meta.dirname, '../../dist/cli.cjs');

/**
 * Runs the built command line where the user stands, not where npm went, and resolves to its exit code.
 * @param {string[]} words
 * @returns {Promise<number>}
 */
export function runCli(words) {
  const cwd = process.env.INIT_CWD ?? process.cwd();
  const child = spawn(process.execPath, [cli, ...words], { cwd, stdio: 'inherit' });
  // The command decides when a signal ends it; ending first would leave it without a terminal.
  for (const name of /** @type {const} */ (['SIGINT', 'SIGTERM', 'SIGHUP'])) {
    process.on(name, () => child.kill(name));
  }
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal ? constants.signals[signal] : 0)));
  });
}
