import { readFileSync } from 'node:fs';
import type { ControlGroup } from './control-groups.ts';

/** A sandbox that is being built; nothing in it is a stranger's yet. */
export interface Unheld {
  /** Bubblewrap itself, outside. */
  readonly bubblewrap: number;
  /** Bubblewrap inside: the first process of the sandbox, whose only child is init. */
  readonly firstProcess: Promise<number>;
  /** Settles when init waits for leave to go on. */
  readonly isReady: Promise<unknown>;
}

/**
 * Takes every process of a sandbox into its group. For the first of them the kernel needs ten milliseconds and for
 * the next ones none, which is why it is asked about bubblewrap while that still builds the sandbox.
 */
export async function holdAll(
  group: ControlGroup,
  { bubblewrap, firstProcess, isReady }: Unheld,
): Promise<void> {
  await Promise.all([group.add(bubblewrap), isReady]);
  const first = await firstProcess;
  const [init, ...others] = childrenOf(first);
  if (init === undefined || others.length > 0) throw new Error('Init is not alone in the sandbox');
  await Promise.all([group.add(first), group.add(init)]);
}

function childrenOf(pid: number): number[] {
  return readFileSync(`/proc/${pid}/task/${pid}/children`, 'latin1').split(' ').filter(Boolean).map(Number);
}
