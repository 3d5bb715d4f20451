import { randomBytes } from 'node:crypto';
import type { RunId } from '#shared/model/run.ts';
import { runTimeText } from '#shared/run-time.ts';

/** A new name for a run that started at this time: later runs sort behind, and no two processes make the same one. */
export function newRunId(startedAt: number): RunId {
  const chance = BigInt(`0x${randomBytes(8).toString('hex')}`)
    .toString(36)
    .padStart(13, '0');
  return `${runTimeText(startedAt)}-${chance.slice(-10)}` as RunId;
}
