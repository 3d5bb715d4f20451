import { spawnSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { writeLens, writeMakefile, writeNinja, writePackages, writeWireit } from './layered-tasks.ts';
import type { LayeredTask } from './layered-tasks.ts';

const here = join(process.cwd(), 'bench');
/** The command line as built. */
export const cli = join(process.cwd(), 'dist/cli.cjs');
const peers = join(here, 'peers');

export type Case = 'plan' | 'cached' | 'leaf' | 'cold';
export const cases: Readonly<Record<Case, string>> = {
  plan: 'plan only, all cached',
  cached: 'fully cached run',
  leaf: 'one leaf changed',
  cold: 'cold',
};

/** One way to do the same tasks by a command, in a folder of its own. */
export interface TaskRunner {
  readonly name: string;
  readonly setUp: (root: string, tasks: readonly LayeredTask[]) => void;
  readonly commands: (root: string) => Partial<Record<Case, readonly string[]>>;
  /** Makes it forget all results. */
  readonly forget: (root: string) => void;
  /** The script of a task, to be changed. */
  readonly script: (root: string, task: string) => string;
  readonly environment?: (root: string) => NodeJS.ProcessEnv;
  /** May take minutes: repeated only while there is time. */
  readonly isSlow?: boolean;
}

const plainScript = (root: string, task: string): string => join(root, 'scripts', `${task}.sh`);
let trash: string | undefined;
/**
 * Takes what runs have kept out of the way. It is not deleted between runs: the file system skips the places of deleted files for
 * minutes, one by one, and whoever makes files would pay for that and not for its run.
 */
const remove = (...paths: string[]): void => {
  trash ??= makeTrash();
  for (const path of paths.filter((one) => existsSync(one))) {
    renameSync(path, join(mkdtempSync(join(trash, 'old-')), 'kept'));
  }
};
function makeTrash(): string {
  const folder = mkdtempSync(join(tmpdir(), 'sunwell-bench-trash-'));
  process.once('exit', () => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
const emptyOut = (root: string): void => {
  remove(join(root, 'out'));
  mkdirSync(join(root, 'out'));
};
const peer = (name: string): string => join(peers, 'node_modules/.bin', name);
const peerPath = `${join(peers, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`;

/** Turbo without the script that npm puts in front of it: that one starts Node first. */
function nativeTurbo(): string {
  const folder = join(peers, 'node_modules/@turbo');
  const binaries = existsSync(folder)
    ? readdirSync(folder).map((name) => join(folder, name, 'bin/turbo'))
    : [];
  return binaries.find((file) => existsSync(file)) ?? peer('turbo');
}

const limit: TaskRunner = {
  name: 'limit',
  setUp: (root, tasks) => {
    writeLens(root, tasks);
    writeFileSync(join(root, 'tasks.json'), JSON.stringify(tasks));
    spawnSync(process.execPath, [join(here, 'lib/limit.mjs'), 'index', root]);
  },
  commands: (root) => {
    const limitWith = (mode: string): string[] => [process.execPath, join(here, 'lib/limit.mjs'), mode, root];
    return { plan: limitWith('plan'), cached: limitWith('plan'), cold: limitWith('run') };
  },
  forget: (root) => remove(join(root, 'results')),
  script: plainScript,
};

const limitWithBubblewrap: TaskRunner = {
  ...limit,
  name: 'limit with bwrap',
  commands: (root) => ({
    cold: [process.execPath, join(here, 'lib/limit.mjs'), 'run-bwrap', root],
    leaf: [process.execPath, join(here, 'lib/limit.mjs'), 'changed-bwrap', root],
  }),
};

const sunwell: TaskRunner = {
  name: 'sunwell',
  setUp: writeLens,
  commands: () => {
    const apply = [process.execPath, cli, 'apply', 'layered.lens', '--all'];
    const plan = [process.execPath, cli, 'lens', 'skill-plan', 'layered.lens'];
    return { plan, cached: apply, leaf: apply, cold: apply };
  },
  // Results, plans and what was resolved, as with the others; the installation stays.
  forget: (root) =>
    remove(...['cache', 'resolved', 'runs', 'plans'].map((name) => join(`${root}-home`, name))),
  script: plainScript,
  environment: (root) => ({ SUNWELL_HOME: `${root}-home` }),
};

const make: TaskRunner = {
  name: 'make',
  setUp: writeMakefile,
  commands: () => ({
    plan: ['make', '-n'],
    cached: ['make', '-j2'],
    leaf: ['make', '-j2'],
    cold: ['make', '-j2'],
  }),
  forget: emptyOut,
  script: plainScript,
};

const ninja: TaskRunner = {
  name: 'ninja',
  setUp: writeNinja,
  commands: () => ({ plan: ['ninja', '-n'], cached: ['ninja'], leaf: ['ninja'], cold: ['ninja'] }),
  forget: (root) => {
    remove(join(root, '.ninja_log'), join(root, '.ninja_deps'));
    emptyOut(root);
  },
  script: plainScript,
};

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
    const run = [nativeTurbo(), 'run', 'build', '--output-logs=none', '--no-daemon'];
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

/** An "npm" that costs nothing, to fill the cache of a runner that would take minutes for it; never timed. */
export function writeFreeNpm(folder: string): string {
  const bin = join(folder, 'free-npm');
  mkdirSync(bin, { recursive: true });
  writeFileSync(join(bin, 'npm'), '#!/bin/sh\nexec bash task.sh > out\n');
  chmodSync(join(bin, 'npm'), 0o755);
  return `${bin}${delimiter}${peerPath}`;
}

/**
 * With this every Node reads some hundred certificates when it starts, before it does anything: 65 ms of 100 where we measure. The
 * limits that the goals name are as long as that (ADR 20); a user without it sees them and ours without those 65 ms.
 */
export const startSetting = 'NODE_EXTRA_CA_CERTS';
const withoutSetting = ` without ${startSetting}`;

/** The limits and ours once more without the setting; nobody where there is none. */
export function plainRunners(): TaskRunner[] {
  if (process.env[startSetting] === undefined) return [];
  const runners = isThere('bwrap') ? [limit, limitWithBubblewrap, sunwell] : [limit, sunwell];
  return runners.map((runner) => ({
    ...runner,
    name: `${runner.name}${withoutSetting}`,
    environment: (root) => ({ ...runner.environment?.(root), [startSetting]: undefined }),
  }));
}

/** What of a row was measured without the setting, by the names of those who have it; and the others. */
export function apart<T>(row: ReadonlyMap<string, T>): { asIs: Map<string, T>; plain: Map<string, T> } {
  const isPlain = (name: string): boolean => name.endsWith(withoutSetting);
  const plain = [...row].filter(([name]) => isPlain(name));
  return {
    asIs: new Map([...row].filter(([name]) => !isPlain(name))),
    plain: new Map(plain.map(([name, value]) => [name.slice(0, -withoutSetting.length), value])),
  };
}

/** Who takes part on this machine, as far as `BENCH_PEERS` wants them, and why the others do not. */
export function findTaskRunners(): { there: TaskRunner[]; missing: Map<string, string> } {
  const wanted = process.env['BENCH_PEERS']?.split(',');
  const missing = new Map<string, string>();
  const there = [limit, limitWithBubblewrap, sunwell, make, ninja, turbo, nx, wireit].filter((runner) => {
    const why = whyMissing(runner, wanted);
    if (why !== undefined) missing.set(runner.name, why);
    return why === undefined;
  });
  return { there, missing };
}

function whyMissing({ name, isSlow = false }: TaskRunner, wanted?: readonly string[]): string | undefined {
  if (name === 'limit' || name === 'sunwell') return undefined;
  if (name === 'limit with bwrap') return isThere('bwrap') ? undefined : 'no bwrap on this machine';
  const [word] = name.split(',') as [string];
  if (wanted && !wanted.includes(word)) return 'left out by BENCH_PEERS';
  if (isSlow) return installPeers();
  return isThere(word) ? undefined : 'not on this machine';
}

let installed: { problem: string | undefined } | undefined;

/** Installs the other task runners beside the benchmark, never into the project. */
function installPeers(): string | undefined {
  if (existsSync(peer('turbo'))) return undefined;
  if (installed) return installed.problem;
  // Not "ci": a lock without the packages of other systems is complete only for this one.
  const words = ['install', '--no-save', '--no-fund', '--no-audit'];
  const { status, stderr } = spawnSync('npm', words, { cwd: peers, encoding: 'utf8' });
  installed = { problem: status === 0 ? undefined : `cannot be installed: ${stderr.split('\n')[0]}` };
  return installed.problem;
}

function isThere(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}
