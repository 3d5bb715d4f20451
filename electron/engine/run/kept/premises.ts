import type { Digest } from '#shared/model/fingerprint.ts';
import type { ScriptLanguage } from '#shared/model/skill.ts';
import type { IndexPosition } from '../../cache/kept-standing.ts';
import type { FootprintRecord } from '../../resolve/footprint.ts';

/** Everything that a kept plan rests on; while all of it is as it was, the same plan would be made again. */
export interface Premises {
  /** What the resolution looked at, and the file of grants. */
  readonly footprint: Omit<FootprintRecord, 'held'>;
  /** The program of every language in use, and what it looked like before it was asked for its version. */
  readonly interpreters: Readonly<Partial<Record<ScriptLanguage, readonly [path: string, stamp: string]>>>;
  /** The digest of the list of all files of the workspace; null where no skill can see any, whatever there is. */
  readonly files: Digest | null;
  readonly index: IndexPosition;
  /** The file of each result, in the order of the plan. */
  readonly blobs: readonly (readonly [digest: Digest, stamp: string])[];
  /** Diagnostics of the resolution by severity. */
  readonly problems: { readonly errors: number; readonly warnings: number };
}

/** What a kept plan is found by: where it was made and for what. */
export interface PlanPlace {
  /** The user's folder. */
  readonly home: string;
  readonly root: string;
  /** The folder of the library that ships with the program. */
  readonly library: string;
  /** The file of the lens or library. */
  readonly path: string;
}

export function placeName({ root, library, path }: Omit<PlanPlace, 'home'>): string {
  return JSON.stringify([root, library, path]);
}
