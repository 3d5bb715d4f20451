import { z } from 'zod';

/** How a fount stands: against the lock, against this machine, against its source. */
export const FountState = z.object({
  /** `fount://package@range` as the lenses write it. */
  request: z.string(),
  package: z.string(),
  range: z.string(),
  state: z.enum(['current', 'missing', 'changed-on-disk', 'update-available', 'not-in-lock']),
  /** The locked version; missing where the fount is not in the lock. */
  version: z.string().optional(),
  /** The version an update would take; the same one where only the content is new. */
  update: z.string().optional(),
  /** The highest version there is, where it lies outside the range. */
  latest: z.string().optional(),
  /** Why the source could not be asked; the state is then what this machine knows. */
  problem: z.object({ code: z.string(), message: z.string() }).optional(),
});
export type FountState = z.infer<typeof FountState>;

/** What adding or updating did to one entry of the lock. */
export const FountChange = z.object({
  request: z.string(),
  package: z.string(),
  /** Missing where the fount was not in the lock. */
  from: z.string().optional(),
  to: z.string(),
  integrity: z.string(),
  /** False where the lock already said all this. */
  changed: z.boolean(),
});
export type FountChange = z.infer<typeof FountChange>;
