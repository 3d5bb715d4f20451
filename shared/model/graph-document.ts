import { z } from 'zod';
import { Diagnostic, Location } from './diagnostic.ts';
import { scriptLanguages, skillTypes, trustLevels } from './skill.ts';

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

/** A skill of a resolved graph: besides its place in the graph, where it comes from and what it does. */
export const ResolvedGraphSkill = GraphDocumentSkill.extend({
  type: z.enum(skillTypes),
  source: z.enum(['own', 'builtin', 'fount', 'agent-skill']),
  origin: Location,
  /** The inherited skill that this one replaced. */
  overrides: Location.optional(),
  trust: z.enum(trustLevels),
  scripts: z.array(
    z.object({ name: z.string(), language: z.enum(scriptLanguages), file: z.string().optional() }),
  ),
  hasInstructions: z.boolean(),
  /** Globs of the files it may see; null where the skill does not say. */
  files: z.array(z.string()).nullable(),
});
export type ResolvedGraphSkill = z.infer<typeof ResolvedGraphSkill>;

/** The graph of a resolved lens or library. */
export const ResolvedGraph = GraphDocument.extend({ skills: z.record(z.string(), ResolvedGraphSkill) });
export type ResolvedGraph = z.infer<typeof ResolvedGraph>;
