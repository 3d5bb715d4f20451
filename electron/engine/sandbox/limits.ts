import { scriptMemoryBytes } from '#shared/model/limits.ts';

/** What one script may use; everything in it enters the fingerprint. */
export interface Limits {
  readonly timeoutMs: number;
  /** Of all processes of the script together. */
  readonly memoryBytes: number;
  readonly processes: number;
  /** Kept of the beginning of each output stream; of the rest only the end is, behind a mark. */
  readonly outputBytes: number;
  readonly artifactBytes: number;
  readonly artifactFiles: number;
}

export const defaultLimits: Limits = {
  timeoutMs: 30_000,
  memoryBytes: scriptMemoryBytes,
  processes: 64,
  outputBytes: 1_000_000,
  artifactBytes: 64 * 1024 * 1024,
  artifactFiles: 2000,
};

/** Limits of a single process or folder that no skill can change. */
export const fixedLimits = {
  openFiles: 256,
  fileBytes: 64 * 1024 * 1024,
  tmpBytes: 64 * 1024 * 1024,
  sharedMemoryBytes: 16 * 1024 * 1024,
  /** Beyond the memory limit, so that an interpreter's own arenas do not hit the wall first. */
  dataMarginBytes: 64 * 1024 * 1024,
  /** Beyond the deadline, so that the deadline is what ends an ordinary script. */
  cpuMarginSeconds: 5,
  /** Processes that init may still start when the script has used up its own: it must be able to pack the artifacts. */
  initProcesses: 8,
  /** Output after which a script is no longer drained but killed. */
  floodBytes: 16 * 1024 * 1024,
} as const;

const maxTimeoutMs = 300_000;

/** What an agent may use: it thinks for minutes, and brings an interpreter and its caches along. */
export const agentLimits: Limits = {
  ...defaultLimits,
  timeoutMs: 600_000,
  memoryBytes: 4 * 1024 * 1024 * 1024,
  processes: 256,
};

/** The longest that an agent may work. */
export const maxAgentTimeoutMs = 3_600_000;

/** Fills in the defaults; what is not a sane number is refused rather than taken for "no limit". */
export function limitsFrom(wanted: Partial<Limits>, mostTimeoutMs = maxTimeoutMs): Limits {
  const limits = { ...defaultLimits, ...wanted };
  for (const [name, value] of Object.entries(limits)) {
    if (!Number.isSafeInteger(value) || value <= 0)
      throw new RangeError(`Limit "${name}" is not a positive integer: ${value}`);
  }
  if (limits.timeoutMs > mostTimeoutMs)
    throw new RangeError(`Limit "timeoutMs" is above ${mostTimeoutMs}: ${limits.timeoutMs}`);
  return limits;
}
