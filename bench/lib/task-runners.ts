import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { writeLens, writeMakefile, writeNinja } from './layered-tasks.ts';
import { installPeers, moon, peerRunners } from './peer-runners.ts';
import { emptyOut, plainScript, remove } from './task-runner.ts';
import type { Commands, TaskRunner } from './task-runner.ts';

const here = join(process.cwd(), 'bench');
/** The command line as built. */
export const cli = join(process.cwd(), 'dist/cli.cjs');

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

/**
 * With this every Node reads some hundred certificates when it starts, before it does anything: 65 ms of 100 where we measure. The
 * limits that the goals name are as long as that (ADR 20); a user without it sees them and ours without those 65 ms.
 */
export const startSetting = 'NODE_EXTRA_CA_CERTS';
const withoutSetting = ` without ${startSetting}`;

/**
 * The limits and ours once more without the setting, and the plan of a native peer beside them, which starts no Node and does
 * not pay for it; nobody where there is no setting.
 */
export function plainRunners(there: readonly TaskRunner[]): TaskRunner[] {
  if (process.env[startSetting] === undefined) return [];
  const own = there.filter((runner) => [limit, limitWithBubblewrap, sunwell].includes(runner));
  const native = there
    .filter((runner) => runner === moon)
    .map(({ commands, ...rest }) => ({ ...rest, commands: (root: string) => planOnly(commands(root)) }));
  return [...own, ...native].map((runner) => ({
    ...runner,
    name: `${runner.name}${withoutSetting}`,
    environment: (root) => ({ ...runner.environment?.(root), [startSetting]: undefined }),
  }));
}

function planOnly({ plan }: Commands): Commands {
  return plan ? { plan } : {};
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
  const there = [limit, limitWithBubblewrap, sunwell, make, ninja, ...peerRunners].filter((runner) => {
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

function isThere(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}
