// @ts-check
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { findChromium } from './find-chromium.mjs';
import { findOnPath } from './find-on-path.mjs';

/**
 * @typedef {{ env: NodeJS.ProcessEnv, platform: NodeJS.Platform, uid: number, aptLists: string, tests: boolean }} Machine
 */

/** What each part is called by the package managers we know; others get a sentence instead of a command. */
const managers = {
  'apt-get': { install: 'apt-get install -y', parts: {} },
  dnf: { install: 'dnf install -y', parts: { xvfb: 'xorg-x11-server-Xvfb', xauth: 'xorg-x11-xauth' } },
  pacman: { install: 'pacman -S --needed', parts: { xvfb: 'xorg-server-xvfb', xauth: 'xorg-xauth' } },
};

const aptOptions = [
  '-o',
  'DPkg::Lock::Timeout=60',
  '-o',
  'Acquire::Retries=2',
  '-o',
  'Acquire::http::Timeout=30',
];
const aptTimeoutMs = 15 * 60_000;

/**
 * Installs the system parts that are missing where it can, and returns one line for the user when some stay missing.
 * Never throws: the studio starts without them and says what it lacks.
 * @param {Machine} machine
 * @returns {string | undefined}
 */
export function setUpSystem(machine) {
  const missing = missingParts(machine);
  if (missing.length === 0) return undefined;
  const isDebian = findOnPath(['apt-get'], machine.env) !== undefined;
  if (machine.platform !== 'linux' || machine.uid !== 0 || !isDebian) return adviceFor(missing, machine);

  process.stdout.write(`Installing ${missing.join(', ')} with apt-get, once\n`);
  const problem = installWithApt(missing, machine);
  const stillMissing = missingParts(machine);
  if (stillMissing.length === 0) return undefined;
  return [problem, adviceFor(stillMissing, machine)].filter(Boolean).join('. ');
}

/**
 * The Debian names of the parts that this machine lacks: `bubblewrap` for the sandbox, the rest for the tests only.
 * @param {Machine} machine
 * @returns {string[]}
 */
export function missingParts({ env, platform, tests }) {
  const isLinux = platform === 'linux';
  const isHeadless = isLinux && !env.DISPLAY && !env.WAYLAND_DISPLAY;
  const lacks = {
    bubblewrap: isLinux && !findOnPath(['bwrap'], env),
    chromium: tests && !findChromium(env),
    xvfb: tests && isHeadless && !(findOnPath(['Xvfb'], env) && findOnPath(['xvfb-run'], env)),
    xauth: tests && isHeadless && !findOnPath(['xauth'], env),
  };
  return Object.entries(lacks).flatMap(([part, isMissing]) => (isMissing ? [part] : []));
}

/**
 * @param {string[]} missing
 * @param {Machine} machine
 * @returns {string}
 */
function adviceFor(missing, { env, platform, uid }) {
  const parts = missing.join(', ');
  if (platform !== 'linux') {
    return `Missing for the tests: ${parts}. Install Chrome or Chromium, or set SUNWELL_CHROMIUM to its path`;
  }
  const manager = Object.entries(managers).find(([name]) => findOnPath([name], env))?.[1];
  if (manager === undefined) return `Missing: ${parts}. Install with the system's package manager`;
  /** @type {Record<string, string>} */
  const names = manager.parts;
  const sudo = uid === 0 ? '' : 'sudo ';
  return `Missing: ${parts}. Run: ${sudo}${manager.install} ${missing.map((part) => names[part] ?? part).join(' ')}`;
}

/**
 * @param {string[]} packages
 * @param {Machine} machine
 * @returns {string | undefined} why it failed
 */
function installWithApt(packages, { env, aptLists }) {
  const install = ['install', '-y', '--no-install-recommends', ...packages];
  // A fresh container has no package lists; on old lists the packages they name are gone from the mirror.
  if (hasPackageLists(aptLists) && aptGet(install, env) === undefined) return undefined;
  return aptGet(['update'], env) ?? aptGet(install, env);
}

/** @param {string} aptLists */
function hasPackageLists(aptLists) {
  try {
    return readdirSync(aptLists).some((name) => name.includes('_Packages'));
  } catch {
    // Unreadable or missing lists are what `apt-get update` is for.
    return false;
  }
}

/**
 * @param {string[]} args
 * @param {NodeJS.ProcessEnv} env
 * @returns {string | undefined} why it failed
 */
function aptGet(args, env) {
  const { status, error, stderr } = spawnSync('apt-get', [...aptOptions, '-qq', ...args], {
    env: { ...env, DEBIAN_FRONTEND: 'noninteractive' },
    encoding: 'utf8',
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: aptTimeoutMs,
  });
  if (status === 0) return undefined;
  if (/Could not get lock/.test(stderr ?? '')) return 'Cannot use apt-get: another program holds its lock';
  if (error !== undefined && 'code' in error && error.code === 'ETIMEDOUT') {
    return `Cannot finish "apt-get ${args[0]}": it took more than ${aptTimeoutMs / 60_000} minutes`;
  }
  const reason = (stderr ?? '').split('\n').find((line) => line.startsWith('E: ')) ?? error?.message ?? '';
  return `Cannot finish "apt-get ${args[0]}": ${reason.replace(/^E: /, '').replace(/\.$/, '')}`;
}
