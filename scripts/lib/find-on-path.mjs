// @ts-check
import { accessSync, constants, statSync } from 'node:fs';
import path from 'node:path';

/**
 * The first of `names` that is an executable file in a folder of PATH, or undefined.
 * @param {readonly string[]} names
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined}
 */
export function findOnPath(names, env = process.env) {
  const folders = (env.PATH ?? '').split(path.delimiter).filter(Boolean);
  const suffixes = process.platform === 'win32' ? ['.exe', '.cmd'] : [''];
  return names
    .flatMap((name) =>
      folders.flatMap((folder) => suffixes.map((suffix) => path.join(folder, name + suffix))),
    )
    .find(isExecutable);
}

/**
 * @param {string} file
 * @returns {boolean}
 */
export function isExecutable(file) {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    // Missing, dangling or not ours to run: for a search all of these mean "look further".
    return false;
  }
}
