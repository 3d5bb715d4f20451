import { spawn, type ChildProcess } from 'node:child_process';
import { existsSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as Readline from 'node:readline';
import type { ControlGroupPlace } from './control-groups.ts';
import { placeOfVersion2 } from './own-groups.ts';

/** A group that systemd gave us to divide among sandboxes; it goes when this is disposed of, or the studio ends however. */
export interface SystemdScope extends Disposable {
  readonly place: ControlGroupPlace;
}

/** Where things are; a test has others. */
export interface SystemdPlaces {
  readonly program: string;
  readonly bootedMark: string;
  readonly groupRoot: string;
}

const usualPlaces: SystemdPlaces = {
  program: '/usr/bin/systemd-run',
  bootedMark: '/run/systemd/system',
  groupRoot: '/sys/fs/cgroup',
};

/** Longer than a busy desktop takes, shorter than a user waits for a script to start. */
const patienceMs = 2000;

/** Says in which group it is and stays there, so that the group stays, until the studio closes its input. */
const keeper = `while IFS=: read -r number _ path; do [[ $number == 0 ]] && echo "$path"; done < /proc/self/cgroup; read -r`;

/** Asks the user's systemd for a group of our own; undefined where there is no systemd, or it does not give one. */
export async function openSystemdScope(places = usualPlaces): Promise<SystemdScope | undefined> {
  const { program, bootedMark, groupRoot } = places;
  if (!existsSync(bootedMark) || !isOfSystem(program)) return undefined;
  // Before anything is started: a failure to start would come when nobody listens yet.
  const readline = await import('node:readline');
  const child = spawn(program, [...scopeOptions(), '--', '/usr/bin/bash', '-p', '-c', keeper], {
    env: busEnvironment(),
    cwd: '/',
    stdio: ['pipe', 'pipe', 'ignore'],
  });
  // A studio that is done does not stay for its keeper; the keeper goes when its input closes with the studio.
  child.unref();
  for (const stream of [child.stdin, child.stdout]) (stream as unknown as { unref(): void }).unref();
  const close = () => void child.stdin.on('error', () => undefined).end();
  const path = await firstLine(child, readline);
  const folder = path === undefined ? undefined : join(groupRoot, path);
  if (folder === undefined || child.pid === undefined || !divide(folder, child.pid)) {
    close();
    return undefined;
  }
  return { place: placeOfVersion2(folder), [Symbol.dispose]: close };
}

function scopeOptions(): string[] {
  const isRoot = process.geteuid?.() === 0;
  return [
    ...(isRoot ? [] : ['--user']),
    '--scope',
    '--quiet',
    '--collect',
    '--description=Scripts of Sunwell Studio',
    '--property=Delegate=yes',
    '--property=MemoryAccounting=yes',
    '--property=TasksAccounting=yes',
  ];
}

/** What is needed to find the user's systemd, and nothing else of the user's. */
function busEnvironment(): Record<string, string> {
  const names = ['XDG_RUNTIME_DIR', 'DBUS_SESSION_BUS_ADDRESS'];
  return Object.fromEntries(
    names.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]])),
  );
}

/** Moves the keeper down: a group with processes of its own cannot put walls around the groups below it. */
function divide(folder: string, keeperPid: number): boolean {
  try {
    mkdirSync(join(folder, 'keeper'));
    writeFileSync(join(folder, 'keeper/cgroup.procs'), String(keeperPid));
    writeFileSync(join(folder, 'cgroup.subtree_control'), '+memory +pids');
    return true;
  } catch {
    return false; // Not delegated after all; the studio measures instead.
  }
}

function firstLine(
  child: ChildProcess & { stdout: NodeJS.ReadableStream },
  { createInterface }: typeof Readline,
): Promise<string | undefined> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(undefined), patienceMs);
    const settle = (line?: string) => {
      clearTimeout(timer);
      resolve(line);
    };
    createInterface({ input: child.stdout }).once('line', settle);
    child.once('error', () => settle());
    child.once('exit', () => settle());
  });
}

function isOfSystem(program: string): boolean {
  const found = statSync(program, { throwIfNoEntry: false });
  return found !== undefined && found.uid === 0 && (found.mode & 0o022) === 0;
}
