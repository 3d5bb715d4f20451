import { cpus } from 'node:os';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** One way to do the same work. `prepare` runs untimed before every repetition, so that no way finds a warm input. */
export interface Contender<Input> {
  readonly name: string;
  readonly work: (input: Input) => unknown;
}

/** What to compare: all contenders get a fresh input from `prepare`, and `limit` names the one to divide by. */
export interface Comparison<Input> {
  readonly title: string;
  readonly limit: string;
  readonly prepare: () => Input;
  readonly contenders: readonly Contender<Input>[];
  readonly repetitions?: number;
  /** Rounds before those that count; fewer where a round takes long enough to be warm by itself. */
  readonly warmUps?: number;
}

/** The times of one contender over all repetitions. */
export interface Measurement {
  readonly name: string;
  readonly medianMs: number;
  readonly minimumMs: number;
}

// Without this, a contender pays for the garbage of the one before it.
setFlagsFromString('--expose-gc');
const collectGarbage = runInNewContext('gc') as () => void;

/** Times all contenders in turn, several times over, so that a busy moment of the machine hits them all alike. */
export async function compare<Input>(comparison: Comparison<Input>): Promise<Measurement[]> {
  const { contenders, prepare, repetitions = 9, warmUps = 3 } = comparison;
  const times = new Map<string, number[]>(contenders.map(({ name }) => [name, []]));
  for (let round = -warmUps; round < repetitions; round++) {
    for (const [i] of contenders.entries()) {
      const { name, work } = contenders[(i + round + warmUps) % contenders.length]!;
      const input = prepare();
      collectGarbage();
      const start = performance.now();
      await work(input);
      const elapsedMs = performance.now() - start;
      if (round >= 0) times.get(name)!.push(elapsedMs);
    }
  }
  const measurements = contenders.map(({ name }): Measurement => {
    const sorted = times.get(name)!.sort((a, b) => a - b);
    return { name, medianMs: sorted[sorted.length >> 1]!, minimumMs: sorted[0]! };
  });
  print(comparison, measurements, repetitions);
  return measurements;
}

/** Names the machine, because a figure without it says nothing. */
export function machineLine(): string {
  const cores = cpus();
  return `${cores.length} cores (${cores[0]?.model.trim() ?? 'unknown'}), Node ${process.versions.node}`;
}

/** Lines up the cells of a table; the first column to the left, the rest to the right. */
export function table(rows: readonly (readonly string[])[]): string {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)));
  return rows
    .map((row) =>
      row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]!) : cell.padStart(widths[i]!))).join('  '),
    )
    .join('\n');
}

function print(
  { title, limit }: Pick<Comparison<never>, 'title' | 'limit'>,
  measurements: readonly Measurement[],
  repetitions: number,
): void {
  const base = measurements.find(({ name }) => name === limit);
  if (!base) throw new Error(`Cannot compare: no contender is named "${limit}"`);
  const rows = measurements.map(({ name, medianMs, minimumMs }) => [
    name,
    medianMs.toFixed(2),
    minimumMs.toFixed(2),
    `${(medianMs / base.medianMs).toFixed(2)}×`,
    `${(minimumMs / base.minimumMs).toFixed(2)}×`,
  ]);
  const head = ['', 'median ms', 'minimum ms', 'by median', 'by minimum'];
  console.log(`\n${title}\n${table([head, ...rows])}`);
  console.log(`Ratios against "${limit}"; ${repetitions} interleaved repetitions; ${machineLine()}`);
}
