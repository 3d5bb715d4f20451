// @ts-check
import { ensureBuild } from './lib/build.mjs';
import { fetchElectron } from './lib/fetch-electron.mjs';
import { findElectron } from './lib/find-electron.mjs';
import { runCli } from './lib/run-cli.mjs';

// Builds what is stale and opens the studio: `npm start`, `npm start -- DIR`, or any other words of "sunwell studio".
const words = process.argv.slice(2);
const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
const isWindowWanted = hasDisplay && !words.includes('--web') && !process.env.ELECTRON_OVERRIDE_DIST_PATH;

try {
  ensureBuild();
  if (isWindowWanted && findElectron() === undefined) fetchElectron(8000);
  process.exitCode = await runCli(['studio', '--sample', ...words]);
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
