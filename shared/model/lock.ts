import { z } from 'zod';
import type { Placed } from './skill.ts';

/** The form of the lock that this studio writes. */
export const lockVersion = 1;

const LockedFountEntry = z
  .looseObject({
    version: z.string().describe('The exact version'),
    integrity: z
      .string()
      .regex(/^sha512-[A-Za-z0-9+/]+={0,2}$/)
      .describe('sha512 of the whole package tree'),
    resolved: z.string().optional().describe('Where the package was taken from, without credentials'),
  })
  .meta({ id: 'LockedFount' });

/** `sunwell.lock`, written by the studio and committed beside the lenses. */
export const LockFile = z
  .looseObject({
    version: z.literal(lockVersion),
    founts: z
      .record(z.string(), LockedFountEntry)
      .describe('"fount://package@range" as it is written in the lenses'),
  })
  .meta({
    title: 'Sunwell lock',
    description: 'The exact content of every fount in use; do not edit by hand',
  });

export const lockKeys = {
  lock: Object.keys(LockFile.shape),
  fount: Object.keys(LockedFountEntry.shape),
} as const;

/** One pinned package. */
export interface LockedFount extends Placed {
  /** `fount://package@range` or `agentskills://package@range`. */
  readonly request: string;
  readonly version: string;
  readonly integrity: string;
  readonly resolved?: string;
}

export interface Lock {
  readonly founts: readonly LockedFount[];
}
