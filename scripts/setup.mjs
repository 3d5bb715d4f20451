// @ts-check
import { setUpSystem } from './lib/system-packages.mjs';

// Run by npm after an install (and by `npm test` with --tests). It must never fail one: whatever is missing is named.
const isDependency = /[\\/]node_modules[\\/]/.test(import.meta.dirname);
if (process.env.SUNWELL_SKIP_SETUP !== '1' && !isDependency) {
  const advice = setUpSystem({
    env: process.env,
    platform: process.platform,
    uid: process.getuid?.() ?? -1,
    aptLists: '/var/lib/apt/lists',
    tests: process.argv.includes('--tests'),
  });
  if (advice !== undefined) process.stdout.write(`${advice}\n`);
}
