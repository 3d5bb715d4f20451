import { spawnSync } from 'node:child_process';
import {
  appendFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { machineLine, table } from './lib/compare.ts';
import {
  layeredTasks,
  leafOf,
  writeLens,
  writeMakefile,
  writeNinja,
  writePackages,
  writeWireit,
} from './lib/layered-tasks.ts';
import type { LayeredTask } from './lib/layered-tasks.ts';
import { openResident } from './lib/resident.ts';

const here = join(process.cwd(), 'bench');
const cli = join(process.cwd(), 'dist/cli.cjs');
const peers = join(here, 'peers');

type Case = 'plan' | 'cached' | 'leaf' | 'cold';
const cases: Readonly<Record<Case, string>> = {
  plan: 'plan only, all cached',
  cached: 'fully cached run',
  leaf: 'one leaf changed',
  cold: 'cold',
};

/** One way to do the same tasks, in a folder of its own. */
interface Contender {
  readonly name: string;
  readonly setUp: (root: string, tasks: readonly LayeredTask[]) => void;
  readonly commands: (root: string) => Partial<Record<Case, readonly string[]>>;
  /** Makes it forget all results. */
  readonly forget: (root: string) => void;
  /** The script of a task, to be changed. */
  readonly script: (root: string, task: string) => string;
  readonly environment?: (root: string) => NodeJS.ProcessEnv;
}

const plainScript = (root: string, task: string): string => join(root, 'scripts', `${task}.sh`);
const remove = (...paths: string[]): void => {
  for (const path of paths) rmSync(path, { recursive: true, force: true });
};
const emptyOut = (root: string): void => {
  remove(join(root, 'out'));
  mkdirSync(join(root, 'out'));
};
const peer = (name: string): string => join(peers, 'node_modules/.bin', name);

const limit: Contender = {
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
  forget: () => undefined,
  script: plainScript,
};

const limitWithBubblewrap: Contender = {
  ...limit,
  name: 'limit with bwrap',
  commands: (root) => ({ cold: [process.execPath, join(here, 'lib/limit.mjs'), 'run-bwrap', root] }),
};

const sunwell: Contender = {
  name: 'sunwell',
  setUp: writeLens,
  commands: () => {
    const apply = [process.execPath, cli, 'apply', 'layered.lens', '--all'];
    const plan = [process.execPath, cli, 'lens', 'skill-plan', 'layered.lens'];
    return { plan, cached: apply, leaf: apply, cold: apply };
  },
  // Results and what was resolved, as with the others; the installation stays.
  forget: (root) => remove(...['cache', 'resolved', 'runs'].map((name) => join(`${root}-home`, name))),
  script: plainScript,
  environment: (root) => ({ SUNWELL_HOME: `${root}-home` }),
};

const make: Contender = {
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

const ninja: Contender = {
  name: 'ninja',
  setUp: writeNinja,
  commands: () => ({ plan: ['ninja', '-n'], cached: ['ninja'], leaf: ['ninja'], cold: ['ninja'] }),
  forget: (root) => {
    remove(join(root, '.ninja_log'), join(root, '.ninja_deps'));
    emptyOut(root);
  },
  script: plainScript,
};

const wireit: Contender = {
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
  environment: () => ({ WIREIT_LOGGER: 'quiet', WIREIT_CACHE: 'local' }),
};

const packageScript = (root: string, task: string): string => join(root, 'packages', task, 'task.sh');

const turbo: Contender = {
  name: 'turbo',
  setUp: (root, tasks) => writePackages(root, tasks, 'turbo'),
  commands: () => {
    const run = [peer('turbo'), 'run', 'build', '--output-logs=none', '--no-daemon'];
    return { plan: [...run, '--dry=json'], cached: run, leaf: run, cold: run };
  },
  forget: (root) => remove(join(root, '.turbo')),
  script: packageScript,
  environment: () => ({ TURBO_TELEMETRY_DISABLED: '1' }),
};

const nx: Contender = {
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
  environment: () => ({ NX_DAEMON: 'false', NX_NO_CLOUD: 'true', NX_CACHE_PROJECT_GRAPH: 'true' }),
};

interface Measured {
  readonly times: Map<Case, number[]>;
  peakKb: number;
  problem?: string;
}

/** Installs the other task runners beside the benchmark, never into the project. */
function installPeers(): string | undefined {
  if (existsSync(peer('turbo'))) return undefined;
  const { status, stderr } = spawnSync('npm', ['ci', '--no-fund', '--no-audit'], {
    cwd: peers,
    encoding: 'utf8',
  });
  return status === 0 ? undefined : `turbo, nx and wireit cannot be installed: ${stderr.split('\n')[0]}`;
}

function isThere(program: string): boolean {
  return spawnSync(program, ['--version']).error === undefined;
}

const measure = existsSync('/usr/bin/time');

/** Runs a command to its end; the peak is that of its largest process. */
function time(
  command: readonly string[],
  root: string,
  environment: NodeJS.ProcessEnv,
): { ms: number; peakKb: number; problem?: string } {
  const peakFile = `${root}.peak`;
  const words = measure ? ['/usr/bin/time', '-f', '%M', '-o', peakFile, ...command] : [...command];
  const path = `${join(peers, 'node_modules/.bin')}${delimiter}${process.env['PATH'] ?? ''}`;
  const start = performance.now();
  const { status, error, stderr } = spawnSync(words[0]!, words.slice(1), {
    cwd: root,
    env: { ...process.env, ...environment, PATH: path, CI: '1', NO_COLOR: '1' },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  });
  const ms = performance.now() - start;
  const peakKb = measure ? Number(readFileSync(peakFile, 'utf8').trim().split('\n').at(-1)) : 0;
  if (status === 0) return { ms, peakKb };
  return {
    ms,
    peakKb,
    problem: error?.message ?? (stderr.trim().split('\n').at(-1) || `exit code ${status}`),
  };
}

/** Every way in turn, several times over, each time in all cases: cold, cached, planned, with a changed leaf. */
async function measureAll(
  folder: string,
  contenders: readonly Contender[],
  count: number,
): Promise<Map<string, Measured>> {
  const tasks = layeredTasks(count);
  const measured = new Map<string, Measured>();
  const roots = new Map<string, string>();
  for (const { name, setUp } of contenders) {
    const root = join(folder, `${name.replaceAll(/\W+/g, '-')}-${count}`);
    mkdirSync(join(root, '.git'), { recursive: true });
    setUp(root, tasks);
    roots.set(name, root);
    measured.set(name, { times: new Map(), peakKb: 0 });
  }
  // What was just written is looked at once more by whoever remembers times of files.
  await setTimeout(100);
  const repetitions = 5;
  for (let round = 0; round < repetitions; round++) {
    for (const kind of ['cold', 'cached', 'plan', 'leaf'] as const) {
      // A thousand cold tasks take minutes with some.
      if (kind === 'cold' && round >= (count >= 1000 ? 1 : repetitions)) continue;
      for (const contender of contenders) {
        const root = roots.get(contender.name)!;
        const result = measured.get(contender.name)!;
        const command = contender.commands(root)[kind];
        if (!command || result.problem !== undefined) continue;
        if (kind === 'cold') contender.forget(root);
        if (kind === 'leaf') appendFileSync(contender.script(root, leafOf(tasks)), `# ${round}\n`);
        if (kind === 'leaf') await setTimeout(60);
        const { ms, peakKb, problem } = time(command, root, contender.environment?.(root) ?? {});
        if (problem !== undefined) result.problem = `${kind}: ${problem}`;
        result.peakKb = Math.max(result.peakKb, peakKb);
        result.times.set(kind, [...(result.times.get(kind) ?? []), ms]);
      }
    }
  }
  return measured;
}

function medianOf(times: readonly number[]): number {
  return [...times].sort((a, b) => a - b)[times.length >> 1]!;
}

function print(count: number, measured: ReadonlyMap<string, Measured>): void {
  for (const kind of Object.keys(cases) as Case[]) {
    const base = kind === 'cold' ? 'limit with bwrap' : 'limit';
    const limitTimes = measured.get(base)?.times.get(kind) ?? measured.get('sunwell')?.times.get(kind) ?? [];
    const rows = [...measured].flatMap(([name, { times, problem }]) => {
      const own = times.get(kind);
      if (!own || own.length === 0) return [];
      const cells = [medianOf(own), Math.min(...own)];
      const ratios = [medianOf(own) / medianOf(limitTimes), Math.min(...own) / Math.min(...limitTimes)];
      const label = problem === undefined ? name : `${name} (${problem.slice(0, 60)})`;
      return [
        [
          label,
          ...cells.map((ms) => ms.toFixed(1)),
          ...ratios.map((ratio) => `${ratio.toFixed(2)}×`),
          String(own.length),
        ],
      ];
    });
    const against = measured.get(base)?.times.has(kind) ? base : 'sunwell';
    console.log(`\n${count} tasks, ${cases[kind]} (ratios against "${against}")`);
    console.log(table([['', 'median ms', 'minimum ms', 'by median', 'by minimum', 'times'], ...rows]));
  }
  const peaks = [...measured].filter(([, { peakKb }]) => peakKb > 0);
  console.log(`\n${count} tasks, memory of the largest process`);
  console.log(table([['', 'MB'], ...peaks.map(([name, { peakKb }]) => [name, (peakKb / 1024).toFixed(0)])]));
}

/** Sunwell beside other task runners on the same trivial tasks; only Sunwell runs them in a sandbox. `BENCH_TASKS=10,100` for less. */
export async function run(): Promise<void> {
  if (!existsSync(cli)) throw new Error('Cannot measure the command line: run "npm run build" first');
  const folder = mkdtempSync(join(tmpdir(), 'sunwell-bench-'));
  const contenders: Contender[] = [limit];
  if (isThere('bwrap')) contenders.push(limitWithBubblewrap);
  contenders.push(sunwell);
  for (const contender of [make, ninja]) {
    if (isThere(contender.name)) contenders.push(contender);
    else console.log(`${contender.name} is not on this machine`);
  }
  const problem =
    process.env['BENCH_PEERS'] === 'none' ? 'turbo, nx and wireit are left out' : installPeers();
  if (problem === undefined) contenders.push(turbo, nx, wireit);
  else console.log(problem);
  try {
    for (const count of (process.env['BENCH_TASKS'] ?? '10,100,1000').split(',').map(Number)) {
      const measured = await measureAll(folder, contenders, count);
      const resident = await openResident(
        join(folder, `sunwell-${count}`),
        `${join(folder, `sunwell-${count}`)}-home`,
      );
      measured.set('sunwell, resident', { times: await resident.measure(9), peakKb: 0 });
      await resident.close();
      print(count, measured);
    }
    console.log(`\nInterleaved repetitions; ${machineLine()}`);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
