import { z } from 'zod';
import { Diagnostic } from './diagnostic.ts';

/** One dependency as the lens declares it; `isLocal` when it names a skill of the same file or library. */
export const DependencyReference = z.object({
  source: z.string(),
  skillName: z.string(),
  isLocal: z.boolean(),
});
export type DependencyReference = z.infer<typeof DependencyReference>;

/** One skill of a graph document. The engine may add fields; readers keep those they do not know. */
export const GraphDocumentSkill = z.looseObject({
  id: z.string(),
  name: z.string(),
  shortcut: z.string().optional(),
  description: z.string().optional(),
  category: z.string().optional(),
  dependsOn: z.array(DependencyReference),
  produces: z.array(z.string()),
  requires: z.array(z.string()),
});
export type GraphDocumentSkill = z.infer<typeof GraphDocumentSkill>;

/** One wave: the record keys of its skills, and how long it takes when they all run at once, where known. */
export const GraphDocumentWave = z.object({
  waveIndex: z.int().nonnegative(),
  skills: z.array(z.string()),
  estimatedDurationMs: z.number().nonnegative().optional(),
});
export type GraphDocumentWave = z.infer<typeof GraphDocumentWave>;

/** What `sunwell lens skill-graph --json` prints. A record key is the skill's name, or its id where names clash. */
export const GraphDocument = z.object({
  lensName: z.string(),
  skills: z.record(z.string(), GraphDocumentSkill),
  waves: z.array(GraphDocumentWave),
  /** Record keys of skills in a cycle or behind one. */
  unplaced: z.array(z.string()),
  contentHash: z.string(),
  diagnostics: z.array(Diagnostic),
});
export type GraphDocument = z.infer<typeof GraphDocument>;
