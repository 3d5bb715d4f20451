import { start, type Run } from './run/run.ts';

export async function startAll(runs: readonly Run[]): Promise<readonly number[]> {
  return await Promise.all(runs.map(async (run) => await start(run)));
}
