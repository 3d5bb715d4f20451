import { z } from 'zod';
import { Digest } from '#shared/model/fingerprint.ts';

const IntendedChange = z.object({
  path: z.string(),
  /** The file as it was; null where there was none. Its bytes come after the first line, in the order of the changes. */
  before: z.object({ sha256: Digest, mode: z.int(), bytes: z.int().min(0) }).nullable(),
  /** The file as it is to be; null for a deletion. */
  after: z.object({ sha256: Digest, isExecutable: z.boolean() }).nullable(),
});
/** A file of a workspace that is about to be written or removed, as it is before and after. */
export type IntendedChange = z.infer<typeof IntendedChange>;

export const Intent = z.object({
  run: z.string().optional(),
  changes: z.array(IntendedChange),
  /** Folders that are made for them, outer ones first. */
  folders: z.array(z.string()),
});
/** All that a run is about to change in a workspace: enough to take it back. */
export type Intent = z.infer<typeof Intent>;
