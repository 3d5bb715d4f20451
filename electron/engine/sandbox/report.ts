import type { ScriptLanguage } from '#shared/model/skill.ts';
import type { PassedOver } from './interpreters.ts';
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

/** What a script can still do, told to the user as it is. */
export const notContained: Readonly<Record<BackendName, readonly string[]>> = {
  bubblewrap: [
    'CPU: a script may keep all cores busy until its deadline, at lower priority',
    'Memory is measured every 25 ms: a script can exceed its limit for a moment',
    'Kernel memory in sockets and pipes counts towards no limit without a control group',
    'The kernel itself: a flaw in a system call that the filter allows',
    'Facts about the machine: processor, kernel version, installed programs under /usr, the clock',
  ],
  seatbelt: [
    'Processes that leave their group may outlive the script: ending the whole tree is best effort',
    'The number of processes is limited per user, not per script',
    'Memory is measured, not limited by the system',
    'Names and command lines of other processes may be visible',
    'Facts about the machine: processor, system version, installed programs',
  ],
  none: ['No script runs: there is no sandbox on this system'],
};
