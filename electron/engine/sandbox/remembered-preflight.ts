import { existsSync, readFileSync, readlinkSync, rmSync, statSync } from 'node:fs';
import { release, version } from 'node:os';
import { digestOf } from '../store/digest.ts';
import { readSigned, writeSigned, type Signer } from '../store/signed-file.ts';
import { prepareLaunch, type Bubblewrap } from './bubblewrap.ts';
import type { Interpreter } from './interpreters.ts';
import { probeLimits, probeScript, type PreflightResult } from './preflight.ts';

/** A preflight in which every probe held. */
export interface HeldPreflight extends Omit<PreflightResult, 'problem'> {
  /** What bubblewrap said its version is. */
  readonly version: string;
}

export interface RememberedPreflightParts {
  readonly path: string;
  /** Signs what is kept: a file that somebody else put there proves nothing. */
  readonly key: Buffer;
  /** What the program is: another version may start the sandbox differently. */
  readonly build: string;
}

/**
 * A preflight that held, for as long as nothing is different from then: a process that runs one script need not try
 * all ways out first. A failure is never remembered, and whatever is in doubt is tried again.
 */
export class RememberedPreflight {
  readonly #parts: RememberedPreflightParts;

  constructor(parts: RememberedPreflightParts) {
    this.#parts = parts;
  }

  read(circumstances: string): HeldPreflight | undefined {
    const content = readSigned(this.#parts.path, this.#signer(circumstances));
    return content && (JSON.parse(content.toString()) as HeldPreflight);
  }

  /** A disk that refuses costs the next process its probes and nothing else. */
  write(circumstances: string, held: HeldPreflight): void {
    writeSigned(this.#parts.path, JSON.stringify(held), this.#signer(circumstances));
  }

  /** For when a probe got out: no other process may count on what once held. */
  forget(): void {
    rmSync(this.#parts.path, { force: true });
  }

  #signer(circumstances: string): Signer {
    const { key, build } = this.#parts;
    return { key, about: ['preflight', build, circumstances] };
  }
}

/** Everything that decides whether the probes hold: the machine as it runs, the programs, and what is started how. */
export function preflightCircumstances(bubblewrap: Bubblewrap, bash: Interpreter): string {
  const request = { script: { name: 'x', language: 'bash' as const, source: { content: '' } }, input: {} };
  const { options, command, words, seccomp } = prepareLaunch(bubblewrap, bash, request, probeLimits);
  return JSON.stringify({
    machine: ['/proc/sys/kernel/random/boot_id', ...switches].map(textOf),
    kernel: [release(), version()],
    // A container has other walls around it than the machine it runs on, and may share its home.
    namespaces: namespaces.map((name) => linkOf(`/proc/self/ns/${name}`)),
    // What the studio itself was denied when it was started.
    standing: textOf('/proc/self/status')?.match(/^(?:Cap|NoNewPrivs|Seccomp:).*$/gm),
    users: [process.geteuid?.(), process.getegid?.(), bubblewrap.identity],
    programs: [bubblewrap.path, bubblewrap.keepers.program, bash.path, ...probePrograms].map(programOf),
    started: digestOf(JSON.stringify([options, command, words, probeScript])),
    filter: digestOf(seccomp),
  });
}

/** Whether user namespaces can be made, and by whom. */
const switches = [
  '/proc/sys/kernel/unprivileged_userns_clone',
  '/proc/sys/kernel/apparmor_restrict_unprivileged_userns',
  '/proc/sys/kernel/apparmor_restrict_unprivileged_unconfined',
  '/proc/sys/user/max_user_namespaces',
  '/sys/kernel/security/lsm',
  '/proc/self/attr/current',
];
const namespaces = ['cgroup', 'ipc', 'mnt', 'net', 'pid', 'user', 'uts'];
/** Without it the probe of user namespaces would hold because nothing was tried. */
const probePrograms = ['/usr/bin/unshare'];

/** Undefined where this kernel has no such switch; were it to get one, that is a change. */
function textOf(path: string): string | undefined {
  // Several are nearly always missing, and an error takes longer than a look.
  if (!existsSync(path)) return undefined;
  try {
    return readFileSync(path, 'latin1');
  } catch {
    return undefined; // Not to be read by this user.
  }
}

function linkOf(path: string): string | undefined {
  try {
    return readlinkSync(path);
  } catch {
    return undefined; // The kernel has no such namespace.
  }
}

function programOf(path: string): unknown {
  const found = statSync(path, { throwIfNoEntry: false, bigint: true });
  return (
    found &&
    [path, found.dev, found.ino, found.size, found.mtimeNs, found.ctimeNs, found.mode, found.uid].map(String)
  );
}
