import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { barTable, medianOf, plainTable } from './lib/bars.ts';
import type { Figures, RowKind } from './lib/bars.ts';
import { machineLine, table } from './lib/compare.ts';
import { layeredTasks, leafOf, writeLens } from './lib/layered-tasks.ts';
import type { LayeredTask } from './lib/layered-tasks.ts';
import { openResident } from './lib/resident.ts';
import { writeFreeNpm } from './lib/peer-runners.ts';
import { cases } from './lib/task-runner.ts';
import type { Case, TaskRunner } from './lib/task-runner.ts';
import { apart, cli, findTaskRunners, plainRunners, startSetting } from './lib/task-runners.ts';
import { timeCommand } from './lib/timed-command.ts';
import type { Timed } from './lib/timed-command.ts';

/** Few tasks are over so soon that more repetitions take no time, and that less than five say nothing. */
const repetitionsOf = (count: number): number => (count <= 10 ? 21 : 5);
/** A slow one is ended after this, and is not repeated when that would take longer than half of it in all. */
const capMs = Number(process.env['BENCH_CAP_SECONDS'] ?? 60) * 1000;

/** Filling a cache is not timed, and a peer that has none cannot be measured at all: it may take longer. */
const fillMs = 5 * 60_000;

const isSettingThere = process.env[startSetting] !== undefined;
const withoutIt = `, without ${startSetting}`;

/** One way to do the tasks of one number. */
interface Contender {
  readonly name: string;
  readonly does: (kind: Case) => boolean;
  /** One repetition, with what has to be there before untimed. */
  readonly once: (kind: Case, round: number) => Promise<Timed>;
  /** Gets all results into its cache where the cold run was ended. */
  readonly fill?: () => Promise<Timed>;
  readonly isSlow: boolean;
  readonly warmUps?: number;
}

interface Result extends Figures {
  readonly values: number[];
  capped: boolean;
  problem?: string;
}

function contenderOf(runner: TaskRunner, folder: string, tasks: readonly LayeredTask[]): Contender {
  const { name, isSlow = false, environment: environmentOf } = runner;
  const root = join(folder, `${name.replaceAll(/\W+/g, '-')}-${tasks.length}`);
  mkdirSync(join(root, '.git'), { recursive: true });
  runner.setUp(root, tasks);
  const commands = runner.commands(root);
  const environment = environmentOf?.(root) ?? {};
  return {
    ...{ name, isSlow },
    does: (kind) => commands[kind] !== undefined,
    once: async (kind, round) => {
      if (kind === 'cold') runner.forget(root);
      if (kind === 'leaf') {
        appendFileSync(runner.script(root, leafOf(tasks)), `# ${round}\n`);
        await setTimeout(60);
      }
      // Ours and the limits may take as long as they need.
      const cap = isSlow ? capMs : 10 * 60_000;
      return timeCommand({ command: commands[kind]!, root, environment, capMs: cap });
    },
    fill: () => {
      const withFreeNpm = { ...environment, PATH: writeFreeNpm(folder) };
      return timeCommand({ command: commands.cold!, root, environment: withFreeNpm, capMs: fillMs });
    },
  };
}

/** The engine as it is in an open studio, beside the commands. */
function residentContender(folder: string, tasks: readonly LayeredTask[]): Contender & AsyncDisposable {
  const root = join(folder, `resident-${tasks.length}`);
  mkdirSync(join(root, '.git'), { recursive: true });
  writeLens(root, tasks);
  const resident = openResident(root, `${root}-home`);
  const work: Record<Case, (round: number) => Promise<number>> = {
    plan: () => resident.plan(),
    cached: () => resident.run(0),
    leaf: async (round) => {
      appendFileSync(join(root, 'scripts', `${leafOf(tasks)}.sh`), `# ${round}\n`);
      await setTimeout(60);
      return resident.run(1);
    },
    cold: async () => {
      await resident.forget();
      return resident.run(tasks.length);
    },
  };
  return {
    ...{ name: 'sunwell, resident', isSlow: false, warmUps: 2 },
    does: () => true,
    once: async (kind, round) => ({ ms: await work[kind](round), capped: false, peakKb: 0 }),
    [Symbol.asyncDispose]: () => resident[Symbol.asyncDispose](),
  };
}

/** Every way in turn, several times over; who is slow has fewer turns. */
async function measureRow(
  { kind, repetitions }: { kind: Case; repetitions: number },
  contenders: readonly Contender[],
  peaks: Map<string, number>,
): Promise<Map<string, Result>> {
  const row = new Map(contenders.map(({ name }): [string, Result] => [name, { values: [], capped: false }]));
  for (const { once, warmUps = 0 } of contenders) {
    for (let i = 0; i < warmUps && kind !== 'cold'; i++) await once(kind, -1 - i);
  }
  for (let round = 0; round < repetitions; round++) {
    for (const { name, once, isSlow } of contenders) {
      const result = row.get(name)!;
      const { values } = result;
      const soFar = values.reduce((sum, ms) => sum + ms, 0);
      const wouldTakeLong = isSlow && values.length > 0 && soFar + soFar / values.length > capMs / 2;
      if (result.capped || result.problem !== undefined || wouldTakeLong) continue;
      const { ms, capped, peakKb, problem } = await once(kind, round);
      if (problem !== undefined) result.problem = problem;
      else values.push(ms);
      result.capped = capped;
      peaks.set(name, Math.max(peaks.get(name) ?? 0, peakKb));
    }
  }
  return row;
}

interface RowToPrint {
  readonly count: number;
  readonly kind: Case;
  /** What is different from the machine as it is. */
  readonly how?: string;
  readonly row: ReadonlyMap<string, Result>;
  readonly missing: ReadonlyMap<string, string>;
}

function printRow({ count, kind, how = '', row, missing }: RowToPrint): void {
  const base = ['limit with bwrap', 'limit', 'sunwell'].find((name) => row.get(name)?.values.length)!;
  const limits = row.get(base)!.values;
  const lines = [...row].map(([name, { values, capped, problem }]) => {
    if (problem !== undefined) return [name, '–', '–', '–', '–', `failed: ${problem.slice(0, 60)}`];
    const [median, minimum] = [medianOf(values), Math.min(...values)];
    if (capped) {
      const atLeast = `> ${(minimum / medianOf(limits)).toFixed(1)}×`;
      return [name, `> ${(capMs / 1000).toFixed(0)} s`, '', atLeast, '', `${values.length}, ended`];
    }
    const ratios = [median / medianOf(limits), minimum / Math.min(...limits)];
    const cells = [median, minimum].map((ms) => ms.toFixed(1));
    return [name, ...cells, ...ratios.map((ratio) => `${ratio.toFixed(2)}×`), String(values.length)];
  });
  for (const [name, why] of missing) lines.push([name, '–', '–', '–', '–', why]);
  console.log(`\n${count} tasks, ${cases[kind]}${how} (ratios against "${base}")`);
  console.log(table([['', 'median ms', 'minimum ms', 'by median', 'by minimum', 'times'], ...lines]));
}

function printPeaks(count: number, peaks: ReadonlyMap<string, Figures>): void {
  console.log(`\n${count} tasks, memory of the largest process at its peak`);
  const lines = [...peaks].map(([name, { values }]) => [name, Math.max(...values).toFixed(0)]);
  console.log(table([['', 'MB'], ...lines]));
}

/** Measures and prints one number of tasks row by row, so that a run that is cut short has shown what it knows. */
async function measureCount(
  count: number,
  folder: string,
  { there, missing }: ReturnType<typeof findTaskRunners>,
): Promise<Map<RowKind, ReadonlyMap<string, Figures>>> {
  const tasks = layeredTasks(count);
  await using resident = residentContender(folder, tasks);
  const plain = plainRunners(there).map((runner) => contenderOf(runner, folder, tasks));
  const contenders = there.map((runner) => contenderOf(runner, folder, tasks));
  contenders.splice(contenders.findIndex(({ name }) => name === 'sunwell') + 1, 0, resident);
  // What was just written is looked at once more by whoever remembers times of files.
  await setTimeout(100);
  const rows = new Map<RowKind, ReadonlyMap<string, Figures>>();
  const peaks = new Map<string, number>();
  const gone = new Map(missing);
  for (const kind of ['cold', 'cached', 'plan', 'leaf'] as const) {
    // A start of Node is nothing beside a thousand sandboxes.
    const isStartLost = kind === 'cold' && count > 100;
    const all = isStartLost ? contenders : [...contenders, ...plain];
    const taking = all.filter(({ name, does }) => does(kind) && !gone.has(name));
    const measured = await measureRow({ kind, repetitions: repetitionsOf(count) }, taking, peaks);
    rows.set(kind, measured);
    const unable = contenders.filter(({ isSlow, does }) => isSlow && !does(kind));
    const without = new Map([...unable.map(({ name }) => [name, 'cannot do this'] as const), ...gone]);
    const row = apart(measured);
    printRow({ count, kind, row: row.asIs, missing: without });
    if (row.plain.size > 0) printRow({ count, kind, how: withoutIt, row: row.plain, missing: new Map() });
    for (const { name, fill } of taking) {
      const { problem, capped } = measured.get(name)!;
      const filled = kind === 'cold' && capped ? await fill?.() : undefined;
      if (filled) peaks.set(name, Math.max(peaks.get(name) ?? 0, filled.peakKb));
      if (problem !== undefined) gone.set(name, 'failed before');
      else if (filled && (filled.capped || filled.problem !== undefined)) gone.set(name, 'cache not filled');
    }
  }
  const counted = [...apart(peaks).asIs].filter(([, kb]) => kb > 0);
  const memory = new Map(counted.map(([name, kb]) => [name, { values: [kb / 1024], capped: false }]));
  rows.set('memory', memory);
  printPeaks(count, memory);
  return rows;
}

/** Sunwell beside other task runners on the same trivial tasks; only Sunwell runs them in a sandbox. */
export async function run(): Promise<void> {
  if (!existsSync(cli)) throw new Error('Cannot measure the command line: run "npm run build" first');
  const folder = mkdtempSync(join(tmpdir(), 'sunwell-bench-'));
  // Also when it is cut short: the rows so far are printed, and nothing stays behind.
  process.once('exit', () => rmSync(folder, { recursive: true, force: true, maxRetries: 10 }));
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));
  const start = performance.now();
  const runners = findTaskRunners();
  for (const [name, why] of runners.missing) console.log(`${name}: ${why}`);
  console.log(
    `Interleaved repetitions, at least five of those that are not slow; who takes over ${capMs / 1000} s is ended`,
  );
  if (isSettingThere)
    console.log(`${startSetting} is set, and makes every start of Node slower: measured with it and without`);
  const rows = new Map<number, ReadonlyMap<RowKind, ReadonlyMap<string, Figures>>>();
  for (const count of (process.env['BENCH_TASKS'] ?? '10,100,1000').split(',').map(Number)) {
    rows.set(count, await measureCount(count, folder, runners));
  }
  console.log(`\nGoals\n${barTable(rows, runners.missing)}`);
  if (isSettingThere) console.log(`\nThe same ratios${withoutIt}\n${plainTable(rows)}`);
  console.log(`Took ${((performance.now() - start) / 60_000).toFixed(1)} minutes; ${machineLine()}`);
}
