import type { ScriptLanguage } from '#shared/model/skill.ts';
import { wallsAbove, type ControlGroups } from './cgroup/control-groups.ts';
import type { PassedOver } from './interpreters.ts';
import { defaultLimits } from './limits.ts';
import type { Probe } from './preflight.ts';

export type BackendName = 'bubblewrap' | 'seatbelt' | 'none';

/** Whether scripts can run here, how, and what the sandbox does not hold back. */
export interface SandboxReport {
  readonly backend: BackendName;
  readonly version: string | undefined;
  readonly available: boolean;
  /** Why not, and the way out. */
  readonly problem?: string;
  readonly uid: number;
  readonly probes: readonly Probe[];
  /** What is really started, for the probe script. */
  readonly argv: readonly string[];
  /** What holds a script to its memory and its number of processes. */
  readonly limits: readonly string[];
  readonly notContained: readonly string[];
}

/** An interpreter as the doctor shows it. */
export interface InterpreterReport {
  readonly path: string | undefined;
  readonly version: string | undefined;
  readonly passedOver: readonly PassedOver[];
}

/** The part of `sunwell doctor` that is about scripts. */
export interface SandboxDoctorReport extends Readonly<Record<ScriptLanguage, InterpreterReport>> {
  readonly platform: string;
  readonly sandbox: SandboxReport;
}

const megabytes = (bytes: number) => Math.round(bytes / 1024 / 1024);

/** How memory and processes are limited under bubblewrap, by what this machine lends us. */
export function limitsBy(groups: ControlGroups | undefined): string[] {
  const walls = wallsAbove(defaultLimits);
  const measured = `Memory: ${megabytes(defaultLimits.memoryBytes)} MB of all processes together, measured every 25 ms`;
  const counted = `Processes: ${defaultLimits.processes}, by a resource limit that the script cannot raise`;
  if (!groups) return [`${measured}; there is no control group here to hold it harder`, counted];
  const { version } = groups.place;
  return [
    `${measured}; at ${megabytes(walls.memoryBytes)} MB the kernel ends it, files and its own memory included (${version})`,
    `${counted}; at ${walls.processes} the kernel starts no more (${version})`,
  ];
}

/** What a script can still do under bubblewrap, told to the user as it is. */
export function notContainedBy(groups: ControlGroups | undefined): string[] {
  return [
    'CPU: a script may keep all cores busy until its deadline, at lower priority',
    ...(groups
      ? [
          'Memory is measured every 25 ms: a script can exceed its limit for a moment, up to the kernel’s wall',
        ]
      : [
          'Memory is measured every 25 ms: a script can exceed its limit for a moment',
          'Kernel memory in sockets and pipes counts towards no limit without a control group',
        ]),
    'The kernel itself: a flaw in a system call that the filter allows',
    'Facts about the machine: processor, kernel version, installed programs under /usr, the clock',
  ];
}

/** What a script can still do elsewhere. */
export const notContained = {
  seatbelt: [
    'Processes that leave their group may outlive the script: ending the whole tree is best effort',
    'The number of processes is limited for the user, not for a script',
    'Memory is measured every 250 ms: a script can exceed its limit until then',
    'Disk: a script can fill it until its deadline, in files of at most 64 MB',
    'Names and command lines of other processes may be visible',
    'Facts about the machine: processor, system version, installed programs',
  ],
  none: ['No script runs: there is no sandbox on this system'],
} as const;
