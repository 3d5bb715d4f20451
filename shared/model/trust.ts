import { z } from 'zod';
import { trustLevels } from './skill.ts';

export const TrustLevel = z.enum(trustLevels);

/** A part of a skill as the user reads it before agreeing; `text` is missing where it is no text or too long to show. */
const CardFile = z.object({ path: z.string(), bytes: z.int(), text: z.string().optional() });

/** One file of a skill that differs from the one the user once agreed to. */
const CardChange = z.object({
  path: z.string(),
  change: z.enum(['added', 'removed', 'changed']),
  before: z.string().optional(),
  after: z.string().optional(),
});

/** What a user sees before they let a skill's scripts run: what it is, what it may do, what changed since they last agreed. */
export const TrustCard = z.object({
  skill: z.string(),
  name: z.string(),
  subject: z.string(),
  /** `fetched` skills run nothing before the user agrees. */
  origin: z.enum(['own', 'fetched']),
  declared: TrustLevel,
  level: TrustLevel,
  /** Names exactly what is shown: a grant for another content is refused. */
  hash: z.string(),
  grantedAt: z.string().optional(),
  /** Set where the skill asks for more than it has. */
  canAskFor: TrustLevel.optional(),
  files: z.array(CardFile),
  sees: z.array(z.string()).nullable(),
  timeoutSeconds: z.number(),
  permissions: z.unknown().optional(),
  changedSince: z.object({ at: z.string(), level: TrustLevel, changes: z.array(CardChange) }).optional(),
});
export type TrustCard = z.infer<typeof TrustCard>;

/** A decision of the user that is in force. */
export const GrantEntry = z.object({
  subject: z.string(),
  hash: z.string(),
  level: TrustLevel,
  at: z.string(),
  files: z.int(),
});
export type GrantEntry = z.infer<typeof GrantEntry>;
