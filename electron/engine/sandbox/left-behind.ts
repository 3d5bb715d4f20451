import { readdirSync, readlinkSync } from 'node:fs';
import { descriptors } from './keeper.ts';

/**
 * Ends the processes of a sandbox whose studio kept its files at a path or below it. A process that bubblewrap had just started and
 * not yet told to go on waits for that for ever when bubblewrap is killed, and nobody is told its number where the keeper is, too.
 */
export function endSandboxesOf(path: string): void {
  for (const pid of sandboxesOf(path)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile, or with another of them.
    }
  }
}

/** The processes that have bubblewrap's status file open below a path; none where the system does not tell. */
export function sandboxesOf(path: string): number[] {
  if (process.platform !== 'linux') return [];
  const isOfSandbox = (pid: string): boolean => {
    try {
      return readlinkSync(`/proc/${pid}/fd/${descriptors.status}`).startsWith(`${path}/`);
    } catch {
      return false; // Gone, or another user's.
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isOfSandbox(name))
    .map(Number);
}
