import { sandboxPaths } from '#shared/model/sandbox-paths.ts';
import { fixedLimits, type Limits } from './limits.ts';
import type { SystemLayout } from './system-layout.ts';

/** Where things are, seen from inside. */
export const inside = {
  ...sandboxPaths,
  skill: '/skill',
  input: '/sunwell/input.json',
  scripts: '/sunwell',
  /** The first process of ours. */
  init: '/sunwell/init',
  out: '/out',
  output: '/out/output.json',
  files: '/out/files',
  /** What an agent finds in its home, read-only; it works on a copy. */
  agentHome: '/sunwell/home',
  /** Where an agent may write: its home, and its copy of the workspace. */
  agent: '/agent',
} as const;

/** What an agent gets that a script never does: the user chose the program, and it has to reach its model. */
export interface AgentPart {
  readonly network: 'shared';
  /** Folder with the content of its home. */
  readonly home: string;
}

/** A file that bubblewrap reads from a descriptor and places in the sandbox, read-only. */
export interface PlacedFile {
  readonly fd: number;
  readonly path: string;
}

/** Everything that decides what a script sees and may do. */
export interface ProfileSpec {
  readonly system: SystemLayout;
  /** Prefixes of interpreters that live outside /usr. */
  readonly prefixes: readonly string[];
  /** Staged copy of the workspace; a script that may see no file has none. */
  readonly workspace?: string;
  /** Staged copy of the skill's own files. */
  readonly skill?: string;
  readonly placed: readonly PlacedFile[];
  /** Where init can be read. */
  readonly initFd: number;
  readonly environment: Readonly<Record<string, string>>;
  readonly limits: Pick<Limits, 'artifactBytes'>;
  readonly statusFd: number;
  readonly seccompFd: number;
  /** Missing for every script. */
  readonly agent?: AgentPart | undefined;
}

/** One option of bubblewrap and what would be possible without it. */
export interface Flag {
  readonly args: readonly string[];
  readonly why: string;
}

/** The bubblewrap profile; the order of mounts matters, because later ones cover earlier ones. */
export function profileFlags(spec: ProfileSpec): Flag[] {
  return [
    ...isolation,
    ...systemMounts(spec),
    ...kernelMounts,
    ...writableMounts(spec),
    ...agentFlags(spec),
    ...contents(spec),
    ...start(spec),
  ];
}

/** What bubblewrap is told, without the command. */
export function profileArgv(flags: readonly Flag[]): string[] {
  return flags.flatMap(({ args }) => args);
}

function flag(why: string, ...args: string[]): Flag {
  return { args, why };
}

const isolation: readonly Flag[] = [
  flag('reach the network, processes, shared memory and host name of the machine', '--unshare-all'),
  flag('start where user namespaces are off, with the rights of the caller', '--unshare-user'),
  flag('make a user namespace inside and attack the kernel as its root', '--disable-userns'),
  flag('go on when that could not be switched off', '--assert-userns-disabled'),
  flag('outlive the studio', '--die-with-parent'),
  flag('type into the terminal the studio was started from', '--new-session'),
  flag('read keys from the environment', '--clearenv'),
  flag('keep capabilities within the namespaces', '--cap-drop', 'ALL'),
  flag('learn the name of the machine', '--hostname', 'sandbox'),
];

function systemMounts({ system }: ProfileSpec): Flag[] {
  return [
    flag(
      'no programs at all; with more than /usr: read the home folder and /etc',
      '--ro-bind',
      '/usr',
      '/usr',
    ),
    ...system.links.map(({ path, target }) =>
      flag(`no "${path}" for programs that name it`, '--symlink', target, path),
    ),
    ...system.binds.map((path) => flag(`slow or missing libraries and tools`, '--ro-bind-try', path, path)),
  ];
}

const kernelMounts: readonly Flag[] = [
  flag('no /proc, which interpreters need; with the host’s: see all processes', '--proc', '/proc'),
  flag('write into the memory of bubblewrap, which has no limits', '--tmpfs', '/proc/1'),
  flag('fill memory through the cover of /proc/1', '--remount-ro', '/proc/1'),
  flag('no /dev/null; with the host’s: open devices', '--dev', '/dev'),
  flag('fill memory through /dev/shm', '--size', String(fixedLimits.sharedMemoryBytes)),
  flag('no shared memory for libraries that need it', '--tmpfs', '/dev/shm'),
  flag('fill memory through /dev', '--remount-ro', '/dev'),
];

function writableMounts({ limits }: ProfileSpec): Flag[] {
  return [
    flag('fill memory through /tmp', '--size', String(fixedLimits.tmpBytes)),
    flag('no place for temporary files', '--tmpfs', inside.tmp),
    flag('fill memory through the artifacts', '--size', String(limits.artifactBytes)),
    flag('no place for artifacts', '--tmpfs', inside.out),
    flag('no folder for artifacts', '--dir', inside.files),
  ];
}

/** Names and certificates of servers, and no other part of /etc: private keys lie beside them. */
const networkFiles = [
  ...['/etc/resolv.conf', '/etc/hosts', '/etc/nsswitch.conf', '/etc/gai.conf'],
  ...['/etc/ssl/certs', '/etc/ssl/cert.pem', '/etc/ssl/openssl.cnf', '/etc/ca-certificates'],
  ...['/etc/pki/tls/certs', '/etc/pki/tls/cert.pem', '/etc/pki/ca-trust/extracted'],
];

const agentBytes = 1024 * 1024 * 1024;

function agentFlags({ agent }: ProfileSpec): Flag[] {
  if (!agent) return [];
  return [
    flag('no way to the model of the agent', '--share-net'),
    ...networkFiles.map((path) => flag('no way to find or to believe a server', '--ro-bind-try', path, path)),
    flag('fill memory through the home of the agent', '--size', String(agentBytes)),
    flag('no home that an agent can write to', '--tmpfs', inside.agent),
    flag('change the home that others may still read', '--ro-bind', agent.home, inside.agentHome),
  ];
}

function contents({ prefixes, workspace, skill, placed, initFd }: ProfileSpec): Flag[] {
  const mount = (from: string | undefined, path: string) =>
    from === undefined
      ? flag(`no "${path}"`, '--dir', path)
      : flag(`write to "${path}"`, '--ro-bind', from, path);
  return [
    ...prefixes.map((path) => flag('no interpreter that lives outside /usr', '--ro-bind', path, path)),
    mount(workspace, inside.workspace),
    mount(skill, inside.skill),
    flag(
      'no init to set limits and to end what is left',
      '--perms',
      '0555',
      '--file',
      String(initFd),
      inside.init,
    ),
    ...placed.map(({ fd, path }) => flag(`no "${path}"`, '--file', String(fd), path)),
    flag('fill memory through the root, which has no size', '--remount-ro', '/'),
  ];
}

function start({ environment, statusFd, seccompFd }: ProfileSpec): Flag[] {
  return [
    flag('start outside the workspace', '--chdir', inside.workspace),
    ...Object.entries(environment).map(([name, value]) => flag(`no ${name}`, '--setenv', name, value)),
    flag('pass a failed start off as a failed script', '--json-status-fd', String(statusFd)),
    flag('call every part of the kernel', '--seccomp', String(seccompFd)),
  ];
}
