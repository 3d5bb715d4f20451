import { readdirSync, readlinkSync } from 'node:fs';

/**
 * Ends the processes whose output leads to a path or below it. A process that bubblewrap had just started and not yet told to go on
 * waits for that for ever when bubblewrap is killed, and nobody was told its number.
 */
export function endWritersTo(path: string): void {
  for (const pid of writersTo(path)) {
    try {
      process.kill(pid, 'SIGKILL');
    } catch {
      // It ended meanwhile, or with another of them.
    }
  }
}

/** The processes whose output leads to a path or below it; none where the system does not tell. */
export function writersTo(path: string): number[] {
  if (process.platform !== 'linux') return [];
  const isWriter = (pid: string): boolean => {
    try {
      const output = readlinkSync(`/proc/${pid}/fd/1`);
      return output === path || output.startsWith(`${path}/`);
    } catch {
      return false; // Gone, or another user's.
    }
  };
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && isWriter(name))
    .map(Number);
}
