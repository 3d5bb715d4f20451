import { z } from 'zod';
import { Digest } from './fingerprint.ts';

export const decisions = ['run', 'skip', 'rejudge', 'undecided', 'blocked'] as const;
export const Decision = z.enum(decisions);
export type Decision = z.infer<typeof Decision>;

export const reasonIds = [
  'cached',
  'no-entry',
  'instructions-changed',
  'script-changed',
  'template-changed',
  'resource-changed',
  'definition-changed',
  'input-changed',
  'file-changed',
  'task-changed',
  'model-changed',
  'lens-changed',
  'interpreter-changed',
  'trust-changed',
  'upstream-runs',
  'upstream-changed',
  'last-failed',
  'evicted',
  'forced',
  'cache-off',
  'validator-changed',
  'not-judged',
  'needs-input',
  'problem',
] as const;
export const ReasonId = z.enum(reasonIds);
export type ReasonId = z.infer<typeof ReasonId>;

/** Why a decision is what it is. */
export const Reason = z.object({
  id: ReasonId,
  /** What it is about: a script, a key, a path, a skill, a validator; empty where the id says it all. */
  subject: z.string(),
  /** For people: "script extract.py changed (2 lines)". */
  sentence: z.string(),
  /** The part before and now: a digest whose text may be asked for, or a short value. Missing on one side: it was not there. */
  before: z.string().optional(),
  after: z.string().optional(),
});
export type Reason = z.infer<typeof Reason>;

/** Where a cached result comes from. */
export const ResultOrigin = z.object({ runId: z.string(), at: z.number(), durationMs: z.number() });
export type ResultOrigin = z.infer<typeof ResultOrigin>;

/** What a run would do with one skill. */
export const PlanStep = z.object({
  /** The record key in the graph document: the name, or the id where names clash. */
  skill: z.string(),
  id: z.string(),
  /** From 0; -1 for a skill in or behind a circle, which has none. */
  wave: z.int(),
  decision: Decision,
  /** The most telling first. */
  reasons: z.array(Reason).min(1),
  cacheKey: Digest.optional(),
  /** How long it will probably take, from earlier runs. */
  estimatedMs: z.number().optional(),
  /** What skipping it saves. */
  savedMs: z.number().optional(),
  from: ResultOrigin.optional(),
});
export type PlanStep = z.infer<typeof PlanStep>;

/** Which skills of a graph are meant; names are record keys, names or ids. A skill must be meant by every part that is given. */
export const Selection = z.object({
  /** These, with everything they need. */
  only: z.array(z.string()).optional(),
  /** Up to these: the same as `only`, said from the graph's side. */
  to: z.array(z.string()).optional(),
  /** These and everything that depends on them, with what those need. */
  from: z.array(z.string()).optional(),
  /** Those that did not come to a result the last time that they were in a run of the lens, and what depends on them. */
  failed: z.boolean().optional(),
  /** Those that would not be skipped. */
  stale: z.boolean().optional(),
  /** Without what they need: everything they require is given with the request. */
  alone: z.boolean().optional(),
});
export type Selection = z.infer<typeof Selection>;

/** What is asked of a plan, and of the run that follows it. */
export const PlanRequest = z.object({
  task: z.string().max(100_000).optional(),
  inputs: z.record(z.string(), z.unknown()).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
  selection: Selection.optional(),
  /** True for all, or the skills that must run whatever the cache says. */
  force: z.union([z.boolean(), z.array(z.string())]).optional(),
  /** Neither reads nor writes the cache. */
  noCache: z.boolean().optional(),
  noJudge: z.boolean().optional(),
  /** The model that works, by its name in `config.yaml`; the default one where nothing is said. */
  model: z.string().max(100).optional(),
  /** The model that judges; `judge_model`, else the one that works. */
  judgeModel: z.string().max(100).optional(),
  /** The lens that judges in place of the skill's own, a file by its place from the workspace; only the command line may say it. */
  judgedBy: z.string().max(4096).optional(),
});
export type PlanRequest = z.infer<typeof PlanRequest>;

/** What a run would do, skill by skill and why; makes no promise about a workspace that changes meanwhile. */
export const Plan = z.object({
  lens: z.string(),
  lensName: z.string(),
  contentHash: z.string(),
  /** By wave, then in the graph's order. */
  decisions: z.array(PlanStep),
  /** What runs, and what may run once it is decided. */
  toExecute: z.array(z.string()),
  /** What is not run, with what is only judged again; a blocked skill is in neither list. */
  toSkip: z.array(z.string()),
  /** 0–100 of the selected skills; 100 where there is none. */
  skipPercentage: z.number(),
  /** How long the run takes if everything undecided runs, by earlier runs; 0 where there were none. */
  estimatedMs: z.number(),
  /** What all skipped skills together took when they ran. */
  savedMs: z.number(),
});
export type Plan = z.infer<typeof Plan>;

/** Both sides of a reason as text, where the text is kept. */
export const ReasonDifference = z.object({
  before: z.string().nullable(),
  after: z.string().nullable(),
  /** For the editor: "python", "json", "markdown", "text". */
  language: z.string(),
});
export type ReasonDifference = z.infer<typeof ReasonDifference>;
