import { readFileSync } from 'node:fs';

let mark: string | undefined;

/** A name for this very process that a later one with the same number does not have. */
export function ownMark(): string {
  return (mark ??= `${process.pid}-${startTime(process.pid) ?? 'unknown'}`);
}

/** Says whether the process that a name was made for still runs. */
export function isMarkAlive(mark: string): boolean {
  const [pid = '', time = ''] = mark.split('-');
  if (!/^\d+$/.test(pid)) return false;
  return process.platform === 'linux' ? (startTime(Number(pid)) ?? 'gone') === time : exists(Number(pid));
}

/** The process that a name was made for, as a user would look for it. */
export function describeMark(mark: string): string {
  return `process ${/^\d+/.exec(mark)?.[0] ?? 'without a number'}`;
}

/** When a process started, in ticks of the machine; undefined when there is none of this number, or only its remains. */
export function startTime(pid: number): string | undefined {
  try {
    // The name in parentheses may contain spaces and parentheses itself; the start time is the 20th field after it.
    const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined; // No such process.
  }
}

/** All that systems without /proc tell: a later process of the same number counts as the same. */
function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
