export const architectures = ['x64', 'arm64'] as const;
export type Architecture = (typeof architectures)[number];

/** What the kernel answers instead of doing the call. */
export type Denial = 'EPERM' | 'EACCES' | 'ENOSYS' | 'EAFNOSUPPORT';

/** Narrows a rule to some values of one argument (its low 32 bits, which is all the kernel looks at here). */
export type Condition =
  | { readonly argument: number; readonly hasAnyBit: number }
  | { readonly argument: number; readonly isOneOf: readonly number[] }
  | { readonly argument: number; readonly isNoneOf: readonly number[]; readonly ignoringBits?: number };

export interface Rule {
  readonly call: string;
  /** Number of the call; an architecture that lacks the call has no number. */
  readonly numbers: { readonly [A in Architecture]?: number };
  readonly answer: Denial;
  readonly when?: Condition;
}

const newNamespaces = 0x7e02_0000; // CLONE_NEWNS, NEWCGROUP, NEWUTS, NEWIPC, NEWUSER, NEWPID, NEWNET
const setIdBits = 0o6000;
const socketFlags = 0o2004000; // SOCK_CLOEXEC, SOCK_NONBLOCK

function deny(
  answer: Denial,
  call: string,
  x64: number | undefined,
  arm64: number | undefined,
  when?: Condition,
): Rule {
  const numbers = { ...(x64 !== undefined && { x64 }), ...(arm64 !== undefined && { arm64 }) };
  return { call, numbers, answer, ...(when && { when }) };
}

/**
 * Calls that a script has no use for and an attacker has. Everything else is allowed: the namespaces are the wall,
 * this keeps the script away from the parts of the kernel where walls have had holes.
 */
export const rules: readonly Rule[] = [
  // Looking into or steering other processes.
  deny('EPERM', 'ptrace', 101, 117),
  deny('EPERM', 'process_vm_readv', 310, 270),
  deny('EPERM', 'process_vm_writev', 311, 271),
  deny('EPERM', 'process_madvise', 440, 440),
  deny('EPERM', 'pidfd_getfd', 438, 438),
  deny('EPERM', 'kcmp', 312, 272),

  // Keyrings: no namespace covers the session keyring.
  deny('EPERM', 'add_key', 248, 217),
  deny('EPERM', 'request_key', 249, 218),
  deny('EPERM', 'keyctl', 250, 219),

  // Kernel machinery with a long record of privilege bugs. EACCES where the kernel itself would say EPERM, or
  // ENOSYS when it was built without: so a test can tell who refused.
  deny('EPERM', 'bpf', 321, 280),
  deny('EPERM', 'perf_event_open', 298, 241),
  deny('EPERM', 'userfaultfd', 323, 282),
  deny('EPERM', 'personality', 135, 92),
  deny('EPERM', 'open_by_handle_at', 304, 265),
  deny('EPERM', 'name_to_handle_at', 303, 264),
  deny('EACCES', 'fanotify_init', 300, 262),
  deny('EPERM', 'fanotify_mark', 301, 263),
  deny('EPERM', 'modify_ldt', 154, undefined),
  deny('EACCES', 'init_module', 175, 105),
  deny('EACCES', 'finit_module', 313, 273),
  deny('EACCES', 'delete_module', 176, 106),
  deny('EACCES', 'kexec_load', 246, 104),
  deny('EACCES', 'kexec_file_load', 320, 294),

  // Mounts.
  deny('EPERM', 'mount', 165, 40),
  deny('EPERM', 'umount2', 166, 39),
  deny('EACCES', 'pivot_root', 155, 41),
  deny('EPERM', 'chroot', 161, 51),
  deny('EACCES', 'open_tree', 428, 428),
  deny('EACCES', 'move_mount', 429, 429),
  deny('EACCES', 'fsopen', 430, 430),
  deny('EACCES', 'fsconfig', 431, 431),
  deny('EACCES', 'fsmount', 432, 432),
  deny('EACCES', 'fspick', 433, 433),
  deny('EACCES', 'mount_setattr', 442, 442),

  // Namespaces. clone3 hides its flags behind a pointer, and every libc falls back to clone.
  deny('EPERM', 'unshare', 272, 97),
  deny('EPERM', 'setns', 308, 268),
  deny('EPERM', 'clone', 56, 220, { argument: 0, hasAnyBit: newNamespaces }),
  deny('ENOSYS', 'clone3', 435, 435),

  // Calls made on the script's behalf, past this filter.
  deny('ENOSYS', 'io_uring_setup', 425, 425),
  deny('ENOSYS', 'io_uring_enter', 426, 426),
  deny('ENOSYS', 'io_uring_register', 427, 427),

  // Memory that no limit of a process and no measure of it sees.
  deny('ENOSYS', 'memfd_create', 319, 279),
  deny('ENOSYS', 'memfd_secret', 447, 447),
  deny('ENOSYS', 'shmget', 29, 194),
  deny('ENOSYS', 'msgget', 68, 186),
  deny('ENOSYS', 'semget', 64, 190),

  // Typing into the user's terminal: TIOCSTI, TIOCLINUX.
  deny('EPERM', 'ioctl', 16, 29, { argument: 1, isOneOf: [0x5412, 0x541c] }),

  // Set-id files among the artifacts.
  deny('EPERM', 'chmod', 90, undefined, { argument: 1, hasAnyBit: setIdBits }),
  deny('EPERM', 'fchmod', 91, 52, { argument: 1, hasAnyBit: setIdBits }),
  deny('EPERM', 'fchmodat', 268, 53, { argument: 2, hasAnyBit: setIdBits }),
  deny('EPERM', 'fchmodat2', 452, 452, { argument: 2, hasAnyBit: setIdBits }),

  // Sockets: AF_INET, AF_INET6, AF_NETLINK lead nowhere without a network; AF_UNIX, AF_VSOCK and others might.
  deny('EAFNOSUPPORT', 'socket', 41, 198, { argument: 0, isNoneOf: [2, 10, 16] }),
  // A datagram pair can be aimed at any address afterwards; a SOCK_STREAM pair cannot.
  deny('EPERM', 'socketpair', 53, 199, { argument: 1, isNoneOf: [1], ignoringBits: socketFlags }),
];
