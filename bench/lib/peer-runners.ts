import { spawnSync } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, readdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { writeMoon, writePackages, writeWireit } from './layered-tasks.ts';
import { emptyOut, plainScript, remove } from './task-runner.ts';
import type { TaskRunner } from './task-runner.ts';

const peers = join(process.cwd(), 'bench/peers');
const peer = (name: string): string => join(peers, 'node_modules/.bin', name);
const peerPath = `${join(peers, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`;

/** A program without the script that npm puts in front of it: that one starts Node first. */
function native(scope: string, program: string, path: string): string {
  const folder = join(peers, 'node_modules', scope);
  const files = existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name, path)) : [];
  return files.find((file) => existsSync(file)) ?? peer(program);
}

/** Some look for changes by git, and for a commit to start from. */
function commitAll(root: string): void {
  const identity = ['-c', 'user.name=bench', '-c', 'user.email=bench@localhost', '-c', 'gc.auto=0'];
  for (const words of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    [...identity, 'commit', '-qm', 'Tasks'],
  ]) {
    const { status, stderr } = spawnSync('git', words, { cwd: root, encoding: 'utf8' });
    if (status !== 0) throw new Error(`Cannot prepare "${root}": git ${words.at(-1)}: ${stderr}`);
  }
}

const wireit: TaskRunner = {
  name: 'wireit',
  setUp: writeWireit,
  commands: () => {
    const run = ['npm', 'run', '-s', 'all'];
    return { cached: run, leaf: run, cold: run };
  },
  forget: (root) => {
    remove(join(root, '.wireit'));
    emptyOut(root);
  },
  script: plainScript,
  environment: () => ({ PATH: peerPath, WIREIT_LOGGER: 'quiet', WIREIT_CACHE: 'local' }),
  isSlow: true,
};

const packageScript = (root: string, task: string): string => join(root, 'packages', task, 'task.sh');

const turbo: TaskRunner = {
  name: 'turbo',
  setUp: (root, tasks) => writePackages(root, tasks, 'turbo'),
  commands: () => {
    const run = [native('@turbo', 'turbo', 'bin/turbo'), 'run', 'build', '--output-logs=none', '--no-daemon'];
    return { plan: [...run, '--dry=json'], cached: run, leaf: run, cold: run };
  },
  forget: (root) => remove(join(root, '.turbo')),
  script: packageScript,
  environment: () => ({ PATH: peerPath, TURBO_TELEMETRY_DISABLED: '1' }),
  isSlow: true,
};

const nx: TaskRunner = {
  name: 'nx, no daemon',
  setUp: (root, tasks) => {
    writePackages(root, tasks, 'nx');
    // It runs only where it is installed.
    symlinkSync(join(peers, 'node_modules'), join(root, 'node_modules'));
  },
  commands: () => {
    const run = [peer('nx'), 'run-many', '-t', 'build', '--outputStyle=static'];
    return { plan: [...run, '--graph=stdout'], cached: run, leaf: run, cold: run };
  },
  forget: (root) => remove(join(root, '.nx')),
  script: packageScript,
  environment: () => ({
    ...{ PATH: peerPath, NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_CACHE_PROJECT_GRAPH: 'true' },
  }),
  isSlow: true,
};

export const moon: TaskRunner = {
  name: 'moon',
  setUp: (root, tasks) => {
    writeMoon(root, tasks);
    commitAll(root);
  },
  commands: () => {
    const program = native('@moonrepo', 'moon', 'moon');
    const run = [program, 'run', ':build'];
    // It has no word for what is cached: this is its graph alone, which is less than a plan.
    return { plan: [program, 'action-graph', ':build', '--json'], cached: run, leaf: run, cold: run };
  },
  forget: (root) => remove(join(root, '.moon/cache')),
  script: packageScript,
  environment: () => ({ MOON_TOOLCHAIN_FORCE_GLOBALS: 'true' }),
  isSlow: true,
};

const lage: TaskRunner = {
  name: 'lage',
  setUp: (root, tasks) => {
    writePackages(root, tasks, 'lage');
    commitAll(root);
  },
  commands: () => {
    const run = [peer('lage'), 'build'];
    // The graph alone, as above.
    return { plan: [peer('lage'), 'info', 'build'], cached: run, leaf: run, cold: run };
  },
  forget: (root) => remove(join(root, 'node_modules/.cache')),
  script: packageScript,
  environment: () => ({ PATH: peerPath }),
  isSlow: true,
};

/** Those that come from npm, installed beside the benchmark. */
export const peerRunners: readonly TaskRunner[] = [turbo, nx, moon, lage, wireit];

/** An "npm" that costs nothing, to fill the cache of a runner that would take minutes for it; never timed. */
export function writeFreeNpm(folder: string): string {
  const bin = join(folder, 'free-npm');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\nexec bash task.sh > out\n');
  chmodSync(join(bin, 'npm'), 0o755);
  return `${bin}${delimiter}${peerPath}`;
}

const programs = ['turbo', 'nx', 'moon', 'lage', 'wireit'];
let installed: { problem: string | undefined } | undefined;

/** Installs the other task runners beside the benchmark, never into the project. */
export function installPeers(): string | undefined {
  if (programs.every((name) => existsSync(peer(name)))) return undefined;
  if (installed) return installed.problem;
  // Not "ci": a lock without the packages of other systems is complete only for this one.
  const words = ['install', '--no-save', '--no-fund', '--no-audit'];
  const { status, stderr } = spawnSync('npm', words, { cwd: peers, encoding: 'utf8' });
  installed = { problem: status === 0 ? undefined : `cannot be installed: ${stderr.split('\n')[0]}` };
  return installed.problem;
}
