// @ts-check
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import { ensureBuild } from './lib/build.mjs';
import { findChromium } from './lib/find-chromium.mjs';
import { findElectron } from './lib/find-electron.mjs';
import { findOnPath } from './lib/find-on-path.mjs';

// Runs the journeys of e2e/ on the web host and, where its binary is, on Electron. Playwright's configuration reads the
// browser from SUNWELL_CHROMIUM and Electron's binary from SUNWELL_ELECTRON. Other arguments go to Playwright as they are.
const root = path.resolve(import.meta.dirname, '..');
const playwright = [path.join(root, 'node_modules/@playwright/test/cli.js'), 'test'];
const config = ['--config', path.join(root, 'e2e', 'playwright.config.ts')];

const chromium = findChromium();
if (chromium === undefined) {
  const wrong = process.env.SUNWELL_CHROMIUM;
  fail(
    wrong
      ? `Cannot run the end-to-end tests: SUNWELL_CHROMIUM is "${wrong}", which is no program`
      : 'Cannot run the end-to-end tests: no Chromium found. On Debian run "apt-get install -y chromium", elsewhere install Chrome or set SUNWELL_CHROMIUM to its path',
  );
}
const electron = findElectron();
const display = displayWrapper();
const skipReason = electron === undefined ? noElectron() : display === undefined ? noDisplay() : undefined;

try {
  ensureBuild();
} catch (error) {
  fail(error instanceof Error ? error.message : String(error));
}

const projects = skipReason === undefined ? ['--project=web', '--project=desktop'] : ['--project=web'];
const wrapper = skipReason === undefined && display !== undefined ? display : [];
const [program = '', ...args] = [
  ...wrapper,
  process.execPath,
  ...playwright,
  ...config,
  ...projects,
  ...process.argv.slice(2),
];
const { status } = spawnSync(program, args, {
  cwd: root,
  stdio: 'inherit',
  env: { ...process.env, SUNWELL_CHROMIUM: chromium, SUNWELL_ELECTRON: electron ?? '' },
});
// Said last, where it is not lost above a long report.
if (skipReason !== undefined) {
  process.stdout.write(`End-to-end tests on Electron were skipped: ${skipReason}\n`);
}
process.exitCode = status ?? 1;

/** The command in front of Playwright that gives Electron a display, or undefined where there can be none. */
function displayWrapper() {
  const hasDisplay = process.platform !== 'linux' || process.env.DISPLAY || process.env.WAYLAND_DISPLAY;
  if (hasDisplay) return [];
  const xvfbRun = findOnPath(['xvfb-run']);
  return xvfbRun && findOnPath(['Xvfb']) && findOnPath(['xauth'])
    ? [xvfbRun, '-a', '-s', '-screen 0 1600x1000x24']
    : undefined;
}

function noElectron() {
  const override = process.env.ELECTRON_OVERRIDE_DIST_PATH;
  return override
    ? `no Electron binary in ELECTRON_OVERRIDE_DIST_PATH "${override}"`
    : 'its binary is not installed. Run "npx install-electron" or set ELECTRON_OVERRIDE_DIST_PATH';
}

function noDisplay() {
  return 'there is no display. On Debian run "apt-get install -y xvfb xauth"';
}

/**
 * @param {string} message
 * @returns {never}
 */
function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}
