import { setTimeout as sleep } from 'node:timers/promises';

/** Waits, but not longer than somebody still wants the answer. */
export async function pauseFor(ms: number, signal: AbortSignal | undefined): Promise<void> {
  await sleep(ms, undefined, signal ? { signal } : {});
}
