import { readFileSync, readlinkSync, statSync } from 'node:fs';
import { digestOf } from './digest.ts';

/** Where a number of a process means something, each part as a short digest; numbers of other places say nothing here. */
interface Place {
  readonly machine: string;
  readonly boot: string;
  readonly namespace: string;
}

const nothing = '0';
/** The namespace that Linux starts with has this number on every machine. */
const firstNamespace = 'pid:[4026531836]';

let mark: string | undefined;
let place: Place | undefined;

/** A name for this very process that no other one has: not a later one with the same number, nor one in another container. */
export function ownMark(): string {
  return (mark ??= makeMark());
}

function makeMark(): string {
  const own = `${process.pid}-${startTime(process.pid) ?? 'unknown'}`;
  if (process.platform !== 'linux') return own;
  const { machine, boot, namespace } = ownPlace();
  return `${own}.${machine}.${boot}.${namespace}`;
}

/** What a process leaves that may be of another machine or container: for how long it counts as alive after it touched that. */
export interface SignOfLife {
  readonly path: string;
  readonly goodForMs: number;
}

/**
 * Says whether the process that a name was made for still runs. One of elsewhere cannot be looked for: it counts as alive for as
 * long as its sign is good, or for ever where there is none to look at.
 */
export function isMarkAlive(mark: string, sign?: SignOfLife): boolean {
  const [pid = '', rest = ''] = mark.split('-');
  if (!/^\d+$/.test(pid)) return false;
  if (process.platform !== 'linux') return exists(Number(pid));
  const where = whereIs(mark);
  const [time] = rest.split('.');
  if (where === 'here') return (startTime(Number(pid)) ?? 'gone') === time;
  return where === 'elsewhere' && (!sign || isGood(sign));
}

/** A container that was killed and started again is another one: without this what it left would never be anybody's. */
function isGood({ path, goodForMs }: SignOfLife): boolean {
  const stats = statSync(path, { throwIfNoEntry: false });
  return stats !== undefined && Date.now() - stats.mtimeMs < goodForMs;
}

/** The process that a name was made for, as a user would look for it. */
export function describeMark(mark: string): string {
  const pid = /^\d+/.exec(mark)?.[0] ?? 'without a number';
  return `process ${pid}${whereIs(mark) === 'elsewhere' ? ' of another machine or container' : ''}`;
}

/** Names that were made before places were part of them count as made here. */
function whereIs(mark: string): 'here' | 'elsewhere' | 'ended with its boot' {
  const [, machine, boot, namespace] = (mark.split('-')[1] ?? '').split('.');
  if (machine === undefined || boot === undefined || namespace === undefined) return 'here';
  const own = ownPlace();
  if (boot === own.boot) return namespace === own.namespace ? 'here' : 'elsewhere';
  return machine !== nothing && machine === own.machine ? 'ended with its boot' : 'elsewhere';
}

function ownPlace(): Place {
  return (place ??= readPlace());
}

function readPlace(): Place {
  const namespace = readOr(() => readlinkSync('/proc/self/ns/pid'));
  return {
    // Containers may all have the id of the image that they were made from, whatever machine they are on.
    machine:
      namespace === firstNamespace ? shortOf(readOr(() => readFileSync('/etc/machine-id', 'utf8'))) : nothing,
    boot: shortOf(readOr(() => readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'))),
    namespace: shortOf(namespace),
  };
}

function readOr(read: () => string): string {
  try {
    return read().trim();
  } catch {
    return ''; // Not every system has it: then this part tells nobody apart.
  }
}

/** Short, for names of files hold it. */
function shortOf(text: string): string {
  return text === '' ? nothing : digestOf(text).slice(0, 8);
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
