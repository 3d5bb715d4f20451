// @ts-check
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, mkdirSync, openSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { build } from './lib/build.mjs';
import { totalsOf } from './lib/totals.mjs';

// `npm test`: the set-up, every step of `npm run ok`, the build and the end-to-end tests; stops at the first failure.
const root = path.resolve(import.meta.dirname, '..');
const artifacts = path.join(root, 'artifacts');
const started = Date.now();
mkdirSync(artifacts, { recursive: true });

/** @type {Record<string, string>} */
const scripts = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8')).scripts;
const okSteps = [...(scripts.ok ?? '').matchAll(/npm run -s (\S+)/g)].map(([, name = '']) => name);

const totals = { passed: 0, failed: 0 };
let stoppedAt = '';
runNode('scripts/setup.mjs', ['--tests'], {});
// Lint takes as long as all other checks of the sources together, and one processor: it runs beside them.
const besides = okSteps.filter((name) => name === 'lint').map(startBeside);
const checks = okSteps.filter((name) => name !== 'lint' && name !== 'unit');
stoppedAt = firstFailing(checks);
for (const { name, ended } of besides) if (!(await ended) && !stoppedAt) stoppedAt = name;
stoppedAt ||= firstFailing([...okSteps.filter((name) => name === 'unit'), 'build', 'e2e']);

const took = `in ${seconds(started)}`;
process.stdout.write(stoppedAt ? `\nStopped at "${stoppedAt}" ${took}\n` : `\nAll steps passed ${took}\n`);
process.stdout.write(`${totals.passed} passed, ${totals.failed} failed\n`);
process.exitCode = stoppedAt ? 1 : 0;

/**
 * @param {string[]} names
 * @returns {string} the first that did not pass, or nothing
 */
function firstFailing(names) {
  return names.find((name) => !runStep(name)) ?? '';
}

/**
 * Starts a step that nothing waits for; what it prints is shown when it is over.
 * @param {string} name
 */
function startBeside(name) {
  const before = Date.now();
  const file = path.join(artifacts, `${name}.log`);
  const output = openSync(file, 'w');
  const isWindows = process.platform === 'win32';
  const options = { cwd: root, stdio: /** @type {any} */ (['ignore', output, output]), shell: isWindows };
  const closed = once(spawn('npm', ['run', '-s', name], options), 'close');
  const ended = closed.then(([status]) => {
    closeSync(output);
    const isOk = status === 0;
    process.stdout.write(`\n▶ ${name}\n${readFileSync(file, 'utf8')}`);
    process.stdout.write(`${isOk ? '✓' : '✕'} ${name} ${seconds(before)}\n`);
    return isOk;
  });
  return { name, ended };
}

/**
 * @param {string} name
 * @returns {boolean} whether it passed
 */
function runStep(name) {
  const before = Date.now();
  const report =
    scripts[name]?.includes('vitest') || name === 'e2e' ? path.join(artifacts, `${name}.json`) : undefined;
  if (report !== undefined) rmSync(report, { force: true });
  process.stdout.write(`\n▶ ${name}\n`);
  const isOk = perform(name, report);
  const { passed, failed } = totalsOf({ report, isOk });
  totals.passed += passed;
  totals.failed += failed;
  const counts = report === undefined ? '' : ` · ${passed} passed, ${failed} failed`;
  process.stdout.write(`${isOk ? '✓' : '✕'} ${name} ${seconds(before)}${counts}\n`);
  return isOk;
}

/**
 * @param {string} name
 * @param {string | undefined} report
 */
function perform(name, report) {
  if (name === 'build') return tryBuild();
  if (report === undefined) return runNpm(name, []);
  return name === 'e2e'
    ? runNode('scripts/e2e.mjs', ['--reporter=list,json'], { PLAYWRIGHT_JSON_OUTPUT_FILE: report })
    : runNpm(name, ['--', '--reporter=default', '--reporter=json', `--outputFile.json=${report}`]);
}

function tryBuild() {
  try {
    build();
    return true;
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
    return false;
  }
}

/**
 * @param {string} name
 * @param {string[]} args
 */
function runNpm(name, args) {
  const isWindows = process.platform === 'win32';
  const options = { cwd: root, stdio: /** @type {const} */ ('inherit'), shell: isWindows };
  return spawnSync('npm', ['run', '-s', name, ...args], options).status === 0;
}

/**
 * @param {string} file
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 */
function runNode(file, args, env) {
  const options = { cwd: root, stdio: /** @type {const} */ ('inherit'), env: { ...process.env, ...env } };
  return spawnSync(process.execPath, [path.join(root, file), ...args], options).status === 0;
}

/** @param {number} since */
function seconds(since) {
  return `${((Date.now() - since) / 1000).toFixed(1)} s`;
}
