/** Whom the sandbox runs as. Never root: its limits and the kernel's own checks do not hold for root. */
export interface Identity {
  readonly uid: number;
  readonly gid: number;
  /** The engine is root and gives its rights up for the sandbox. */
  readonly isDropped: boolean;
}

/** Belongs to no account and no service, so that nothing on the machine is readable or killable because of it. */
const unprivilegedId = 64_713;

export function sandboxIdentity(): Identity {
  const uid = process.geteuid?.() ?? unprivilegedId;
  if (uid === 0) return { uid: unprivilegedId, gid: unprivilegedId, isDropped: true };
  return { uid, gid: process.getegid?.() ?? uid, isDropped: false };
}

/** Read-only for the user of the sandbox and for nobody else. */
export function handOverMode({ isDropped }: Identity, isExecutable: boolean): number {
  const mode = isExecutable ? 0o500 : 0o400;
  return isDropped ? mode | (mode >> 3) : mode;
}
