// @ts-check
import { findOnPath, isExecutable } from './find-on-path.mjs';

const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
const apps = [
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
];

/**
 * The browser for the end-to-end tests on the web host: `SUNWELL_CHROMIUM` or the system's, or undefined.
 * @param {NodeJS.ProcessEnv} [env]
 * @returns {string | undefined}
 */
export function findChromium(env = process.env) {
  if (env.SUNWELL_CHROMIUM) return isExecutable(env.SUNWELL_CHROMIUM) ? env.SUNWELL_CHROMIUM : undefined;
  return findOnPath(names, env) ?? apps.find(isExecutable);
}
