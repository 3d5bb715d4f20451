import { randomBytes } from 'node:crypto';
import type { RunId } from '#shared/model/run.ts';

const timeDigits = 9;

/** A new name for a run that started at this time: later runs sort behind, and no two processes make the same one. */
export function newRunId(startedAt: number): RunId {
  const time = startedAt.toString(36).padStart(timeDigits, '0');
  const chance = BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(13, '0');
  return `${time}-${chance.slice(-10)}` as RunId;
}

/** When a run of this name started, in milliseconds; undefined for a name that is not a run's. */
export function timeOfRun(name: string): number | undefined {
  return /^[0-9a-z]{9}-[0-9a-z]{10}$/.test(name) ? parseInt(name.slice(0, timeDigits), 36) : undefined;
}
