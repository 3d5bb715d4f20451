import { z } from 'zod';
import { trustLevels } from '#shared/model/skill.ts';
import { readStateFile, type StateFile } from '../store/state-file.ts';

const Grant = z.strictObject({
  hash: z.string().regex(/^[0-9a-f]{64}$/),
  /** The skill as the user knows it, such as its qualified id; finds the earlier grant of a changed skill. */
  subject: z.string(),
  level: z.enum(trustLevels),
  at: z.string(),
  files: z.array(z.strictObject({ path: z.string(), sha256: z.string(), bytes: z.number() })),
});
/** A decision of the user about one content of one skill. */
export type Grant = z.infer<typeof Grant>;

const GrantFile = z.strictObject({ version: z.literal(1), grants: z.array(Grant) });

/** Reads the file of grants; a damaged one is set aside. */
export function readGrantFile(path: string): Promise<StateFile<{ readonly grants: readonly Grant[] }>> {
  return readStateFile(path, GrantFile);
}
