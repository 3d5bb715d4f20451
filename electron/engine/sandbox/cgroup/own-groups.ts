import { accessSync, constants, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ControlGroupPlace, Walls } from './control-groups.ts';

/** The folders of the groups that a process is in; undefined where the kernel shows none. */
export interface OwnGroups {
  readonly memory?: string;
  readonly pids?: string;
  /** The one of version 2, whose tree serves all controllers. */
  readonly unified?: string;
}

/** Reads where a process is from the texts of its /proc/self/cgroup and /proc/self/mountinfo. */
export function ownGroups(cgroup: string, mountinfo: string): OwnGroups {
  const mounts = mountinfo.split('\n').flatMap(readMount);
  const found: { memory?: string; pids?: string; unified?: string } = {};
  for (const line of cgroup.split('\n')) {
    const [, number, controllers = '', path = ''] = /^(\d+):([^:]*):(.*)$/.exec(line) ?? [];
    if (number === undefined) continue;
    for (const name of ['memory', 'pids'] as const) {
      const folder = controllers.split(',').includes(name) && folderOf(path, mounts, name);
      if (folder) found[name] = folder;
    }
    const unified = number === '0' && controllers === '' && folderOf(path, mounts, undefined);
    if (unified) found.unified = unified;
  }
  return found;
}

interface Mount {
  readonly root: string;
  readonly at: string;
  /** Controllers of version 1; version 2 names none. */
  readonly controllers: readonly string[] | undefined;
}

function readMount(line: string): Mount[] {
  const [before = '', after = ''] = line.split(' - ');
  const [type, , options = ''] = after.split(' ');
  const [, , , root = '', at = ''] = before.split(' ').map(unescaped);
  if (type === 'cgroup2') return [{ root, at, controllers: undefined }];
  return type === 'cgroup' ? [{ root, at, controllers: options.split(',') }] : [];
}

function unescaped(text: string): string {
  return text.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(parseInt(octal, 8)));
}

/** A container may see only a part of the tree: then the path is counted from the root of the mount. */
function folderOf(
  path: string,
  mounts: readonly Mount[],
  controller: string | undefined,
): string | undefined {
  for (const { root, at, controllers } of mounts) {
    const isOfKind = controller === undefined ? !controllers : controllers?.includes(controller);
    if (!isOfKind || path.includes('/..')) continue;
    if (root === '/') return join(at, path);
    if (path === root || path.startsWith(`${root}/`)) return join(at, path.slice(root.length));
  }
  return undefined;
}

/** The place below our own groups, never beside or above them: what holds the studio must hold its scripts too. */
export function placesHere(): ControlGroupPlace[] {
  const own = ownGroups(
    readFileSync('/proc/self/cgroup', 'utf8'),
    readFileSync('/proc/self/mountinfo', 'utf8'),
  );
  const places: ControlGroupPlace[] = [];
  if (own.unified !== undefined && hasControllers(own.unified)) places.push(placeOfVersion2(own.unified));
  if (own.memory !== undefined && own.pids !== undefined && countsChildren(own.memory)) {
    places.push(placeOfVersion1(own.memory, own.pids));
  }
  return places.filter(({ hierarchies }) => hierarchies.every(({ folder }) => canWrite(folder)));
}

export function placeOfVersion1(memory: string, pids: string): ControlGroupPlace {
  const memorySettings = ({ memoryBytes }: Walls) => [
    { file: 'memory.limit_in_bytes', value: memoryBytes },
    { file: 'memory.memsw.limit_in_bytes', value: memoryBytes, isOptional: true },
  ];
  return {
    version: 'cgroup v1',
    hierarchies: [
      { folder: memory, settings: memorySettings },
      { folder: pids, settings: ({ processes }) => [{ file: 'pids.max', value: processes }] },
    ],
    eventFile: 'memory.oom_control',
  };
}

export function placeOfVersion2(folder: string): ControlGroupPlace {
  const settings = ({ memoryBytes, processes }: Walls) => [
    { file: 'memory.max', value: memoryBytes },
    { file: 'memory.swap.max', value: 0, isOptional: true },
    { file: 'pids.max', value: processes },
  ];
  return { version: 'cgroup v2', hierarchies: [{ folder, settings }], eventFile: 'memory.events' };
}

/** Whether groups below this one can have walls; false for any that holds processes itself, as ours mostly does. */
function hasControllers(folder: string): boolean {
  const given = textOf(join(folder, 'cgroup.subtree_control'))?.trim().split(' ') ?? [];
  return given.includes('memory') && given.includes('pids');
}

/** Without it what is used in a group below would count for nobody above. */
function countsChildren(memory: string): boolean {
  return textOf(join(memory, 'memory.use_hierarchy'))?.trim() === '1';
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined; // No such controller here.
  }
}

function canWrite(folder: string): boolean {
  try {
    accessSync(folder, constants.W_OK | constants.X_OK);
    return true;
  } catch {
    return false; // Nothing was delegated to us: the limits that need nobody's leave hold alone.
  }
}
