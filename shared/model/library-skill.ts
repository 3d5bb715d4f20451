import { z } from 'zod';
import { Location } from './diagnostic.ts';
import { scriptLanguages, trustLevels } from './skill.ts';

/** What a library is asked for by: its file, `sunwell/common`, or `fount://package@range` as the lock has it. */
export const LibraryId = z.string().min(1).max(4096);
export type LibraryId = z.infer<typeof LibraryId>;

/** A skill that a lens of the workspace could use, wherever it comes from. */
export const LibrarySkill = z.object({
  library: LibraryId,
  id: z.string(),
  name: z.string(),
  description: z.string().optional(),
  triggers: z.array(z.string()),
  source: z.enum(['own', 'builtin', 'fount', 'agent-skill']),
  origin: Location,
  trust: z.enum(trustLevels),
  requires: z.array(z.string()),
  produces: z.array(z.string()),
  languages: z.array(z.enum(scriptLanguages)),
  hasInstructions: z.boolean(),
});
export type LibrarySkill = z.infer<typeof LibrarySkill>;

/** Everything that can be used, and in sentences what could not be read. */
export const LibraryList = z.object({ skills: z.array(LibrarySkill), problems: z.array(z.string()) });
export type LibraryList = z.infer<typeof LibraryList>;

/** One skill of a library in full: enough to read it, and to write it into another file. */
export const LibrarySkillDetail = LibrarySkill.extend({
  instructions: z.string().optional(),
  scripts: z.array(z.object({ name: z.string(), language: z.enum(scriptLanguages), content: z.string() })),
  dependsOn: z.array(LibrarySkill.pick({ id: true, name: true, source: true, origin: true })),
  /** The skill as an entry of a lens, its files written into it; without what it depends on. */
  entry: z.record(z.string(), z.unknown()),
  /** What such an entry cannot take along, in sentences. */
  leftOut: z.array(z.string()),
});
export type LibrarySkillDetail = z.infer<typeof LibrarySkillDetail>;
