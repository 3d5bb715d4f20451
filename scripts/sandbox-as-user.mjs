// @ts-check
import { spawnSync } from 'node:child_process';
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

// `npm run sandbox:as-user [-- vitest options]`: the tests of sandbox, trust and runs once more, as an ordinary user without
// an account, when the tests themselves run as root. It needs no set-up and leaves nothing behind.
const root = path.resolve(import.meta.dirname, '..');
const id = 61_234;
const home = mkdtempSync(path.join(tmpdir(), 'sunwell-user-'));
const config = path.join(home, 'vitest.config.mjs');
const test = {
  include: ['electron/engine/{sandbox,trust,run,plan,cache}/**/*.test.ts'],
  exclude: ['**/*.drift.test.ts'],
  testTimeout: 60_000,
  hookTimeout: 60_000,
};
// Unbuilt code remembers nothing between two processes, and that is tested too.
const define = { __BUILD__: JSON.stringify('as user') };
const cacheDir = path.join(home, 'cache');
writeFileSync(config, `export default ${JSON.stringify({ root, cacheDir, define, test })}`);
chownSync(home, id, id);

const vitest = path.join(root, 'node_modules/vitest/vitest.mjs');
const asUser =
  process.getuid?.() === 0 ? ['setpriv', `--reuid=${id}`, `--regid=${id}`, '--clear-groups', '--'] : [];
const [program = '', ...args] = [
  ...asUser,
  process.execPath,
  vitest,
  'run',
  `--config=${config}`,
  '--configLoader=runner',
  ...process.argv.slice(2),
];
const env = { HOME: home, PATH: '/usr/local/bin:/usr/bin:/bin', TMPDIR: '/tmp' };
const { status } = spawnSync(program, args, { cwd: root, env, stdio: 'inherit' });
for (const folder of [home, ...(asUser.length > 0 ? [`/var/tmp/sunwell-${id}`] : [])]) {
  rmSync(folder, { recursive: true, force: true });
}
process.exitCode = status ?? 1;
