// @ts-check
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '../..');
const stampFile = path.join(root, 'dist', '.stamp');
const sources = [
  'shared',
  'electron',
  'renderer',
  'resources',
  'vite.config.ts',
  'package.json',
  'package-lock.json',
];

/** Builds `dist/` when the sources have changed since the last build; what it says goes to stderr. */
export function ensureBuild() {
  const built = existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : undefined;
  if (built === stampOf(root)) return;
  process.stderr.write('Building the studio, once after each change of its sources\n');
  build();
}

/** Builds `dist/` with Vite's warnings and errors on stderr; throws when it fails, leaving no stamp. */
export function build() {
  // Taken before the build, so that an edit while it runs leads to another one.
  const stamp = stampOf(root);
  rmSync(stampFile, { force: true });
  const vite = path.join(root, 'node_modules/vite/bin/vite.js');
  const { status, error } = spawnSync(process.execPath, [vite, 'build', '--app', '--logLevel', 'warn'], {
    cwd: root,
    stdio: ['ignore', 2, 2],
  });
  if (status !== 0) {
    throw new Error('Cannot build the studio: Vite says why above', { cause: error });
  }
  mkdirSync(path.dirname(stampFile), { recursive: true });
  writeFileSync(stampFile, stamp);
}

/**
 * A hash that changes with the path, time or size of any source in folder `from` that can change the build.
 * @param {string} from
 * @returns {string}
 */
export function stampOf(from) {
  const hash = createHash('sha256');
  for (const file of sources.flatMap((source) => filesIn(path.join(from, source))).sort()) {
    const { mtimeMs, size } = statSync(file);
    hash.update(`${path.relative(from, file)}\0${mtimeMs}\0${size}\n`);
  }
  return hash.digest('hex');
}

/**
 * @param {string} place
 * @returns {string[]}
 */
function filesIn(place) {
  if (!existsSync(place)) return [];
  if (statSync(place).isFile()) return [place];
  return readdirSync(place, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.name.includes('.test.'))
    .map((entry) => path.join(entry.parentPath, entry.name));
}
