import { z } from 'zod';
import { Digest } from './fingerprint.ts';
import { Decision, Plan, PlanRequest, PlanStep } from './plan.ts';
import { ModelCost } from './models.ts';
import { JudgmentRule, Verdict } from './verdict.ts';

/** Names one run for good: sorts by time. */
export const RunId = z
  .string()
  .regex(/^[0-9a-z][0-9a-z-]{7,63}$/)
  .brand<'RunId'>();
export type RunId = z.infer<typeof RunId>;

export const runStatuses = ['running', 'succeeded', 'failed', 'cancelled', 'interrupted'] as const;
export const RunStatus = z.enum(runStatuses);
export type RunStatus = z.infer<typeof RunStatus>;

export const stepStates = [
  'pending',
  'running',
  'cached',
  'ran',
  'judged-failed',
  'failed',
  'blocked',
  'cancelled',
  'interrupted',
] as const;
export const StepState = z.enum(stepStates);
export type StepState = z.infer<typeof StepState>;

/** What to do about a failure of which the studio knows more than the script that failed. */
export const WayOut = z.object({
  id: z.enum([
    'unseen-file',
    'unpermitted-file',
    'blocked-file',
    'undeclared-key',
    'read-only',
    'no-network',
    'not-installed',
  ]),
  /** The glob that would show the file, the file, the key, the module or the program; empty where there is none. */
  subject: z.string(),
  sentence: z.string(),
});
export type WayOut = z.infer<typeof WayOut>;

/** Why a step failed. */
export const StepFailure = z.object({
  phase: z.enum(['parse', 'execute', 'validate', 'refine']),
  skillName: z.string(),
  message: z.string(),
  /** Trying again can help. */
  recoverable: z.boolean(),
  scriptName: z.string().optional(),
  exitCode: z.int().optional(),
  stderr: z.string().optional(),
  waysOut: z.array(WayOut).optional(),
  details: z.record(z.string(), z.unknown()).optional(),
});
export type StepFailure = z.infer<typeof StepFailure>;

/** A file that a step proposes to write or delete. */
export const ArtifactRecord = z.object({
  path: z.string(),
  operation: z.enum(['write', 'delete']),
  contentHash: Digest.optional(),
  /** How large it becomes; missing for a deletion. */
  bytes: z.int().optional(),
  isExecutable: z.boolean().optional(),
});
export type ArtifactRecord = z.infer<typeof ArtifactRecord>;

/** What the scripts of a step did in the sandbox, in its last attempt. */
export const SandboxUse = z.object({
  /** Files of the workspace that they could see. */
  filesSeen: z.int(),
  limitsHit: z.array(z.string()),
  /** What was refused, where the kernel tells. */
  denied: z.array(z.string()),
});
export type SandboxUse = z.infer<typeof SandboxUse>;

export const refinementStops = [
  'passed',
  'max-attempts',
  'no-improvement',
  'budget',
  'cancelled',
  'failed',
  'not-refinable',
] as const;
export const RefinementStop = z.enum(refinementStops);
export type RefinementStop = z.infer<typeof RefinementStop>;

/** One try of a step within refinement. */
export const AttemptRecord = z.object({
  /** From 1. */
  attempt: z.int().min(1),
  /** What the attempt was told of the one before; missing for the first. */
  feedback: z.string().optional(),
  content: z.string(),
  resultDigest: Digest,
  verdicts: z.array(Verdict),
  passed: z.boolean(),
  /** How sure the judges are of the result, 0 to 1; missing where nobody with a say was asked. */
  confidence: z.number().min(0).max(1).optional(),
  durationMs: z.number(),
  cost: ModelCost.optional(),
});
export type AttemptRecord = z.infer<typeof AttemptRecord>;

/** The attempts of a step that its lens judged, and why there is no further one. */
export const Refinement = z.object({
  attempts: z.array(AttemptRecord),
  /** The attempt whose result is the step's. */
  best: z.int().min(1),
  stop: RefinementStop,
});
export type Refinement = z.infer<typeof Refinement>;

/** One skill in one run. */
export const StepRecord = z.object({
  skill: z.string(),
  id: z.string(),
  wave: z.int(),
  /** What the run decided when the step's turn came. */
  decision: Decision,
  state: StepState,
  cached: z.boolean(),
  startedAt: z.number().optional(),
  durationMs: z.number(),
  /** What it would have cost, where it came from the cache. */
  savedMs: z.number().optional(),
  cacheKey: Digest.optional(),
  resultDigest: Digest.optional(),
  content: z.string().optional(),
  outputs: z.record(z.string(), z.unknown()).optional(),
  artifacts: z.array(ArtifactRecord),
  verdicts: z.array(Verdict),
  /** When the verdicts let the result pass; missing where nobody judges it. */
  rule: JudgmentRule.optional(),
  attempts: z.int(),
  /** Missing where the step was not judged, or came from the cache. */
  refinement: Refinement.optional(),
  /** What its model was asked and what that cost; missing where no model worked. */
  model: ModelCost.optional(),
  /** The same of the models that judged its results; missing where none was asked. */
  judging: ModelCost.optional(),
  /** Missing where no script ran. */
  sandbox: SandboxUse.optional(),
  error: StepFailure.optional(),
  /** The skill whose failure keeps this one from running. */
  blockedBy: z.string().optional(),
});
export type StepRecord = z.infer<typeof StepRecord>;

/** A step that went otherwise than its plan said. */
export const Divergence = z.object({
  skill: z.string(),
  predicted: z.string(),
  actual: z.string(),
  sentence: z.string(),
});
export type Divergence = z.infer<typeof Divergence>;

/** A whole run, as `--json`, the history and a page that opens it late get it. */
export const RunRecord = z.object({
  runId: RunId,
  /** The file of the lens. */
  lens: z.string(),
  lensName: z.string(),
  status: RunStatus,
  startedAt: z.number(),
  durationMs: z.number(),
  request: PlanRequest,
  plan: Plan,
  steps: z.array(StepRecord),
  predictedVsActual: z.array(Divergence),
  artifactsApplied: z.array(z.string()),
  /** What the user should know and no step carries, such as a cache that could not be written. */
  warnings: z.array(z.string()),
  /** The run that this one carries on. */
  resumes: RunId.optional(),
  /** Events up to this number are in the record. */
  seq: z.int(),
});
export type RunRecord = z.infer<typeof RunRecord>;

/** One line of the history. */
export const RunSummary = RunRecord.pick({
  runId: true,
  lens: true,
  lensName: true,
  status: true,
  startedAt: true,
  durationMs: true,
}).extend({
  ran: z.int(),
  cached: z.int(),
  failed: z.int(),
  blocked: z.int(),
  cancelled: z.int(),
  savedMs: z.number(),
  artifacts: z.int(),
  diverged: z.boolean(),
});
export type RunSummary = z.infer<typeof RunSummary>;

/** One skill in one run of the history. */
export const SkillRun = StepRecord.pick({
  state: true,
  cached: true,
  durationMs: true,
  savedMs: true,
}).extend({ runId: RunId, startedAt: z.number() });
export type SkillRun = z.infer<typeof SkillRun>;

/** What is asked of a run, beyond what its plan is asked. */
export const RunRequest = PlanRequest.extend({
  failFast: z.boolean().optional(),
  concurrency: z.int().min(1).max(64).optional(),
  /** Tokens that all models of the run may read and write together. */
  tokenBudget: z.int().min(1).optional(),
  /** A failed judgment is final. */
  noRefine: z.boolean().optional(),
});
export type RunRequest = z.infer<typeof RunRequest>;

/** A proposed change as the review shows it. */
export const ReviewFile = z.object({
  path: z.string(),
  /** `none`: the file has this content already; `unknown`: it cannot be compared, or not be written there. */
  operation: z.enum(['create', 'modify', 'delete', 'none', 'unknown']),
  skill: z.string(),
  /** Null where there is no file on that side, or it is no text. */
  before: z.string().nullable(),
  after: z.string().nullable(),
  isText: z.boolean(),
  contentHash: Digest.optional(),
  /** How large the proposed file is; missing for a deletion. */
  bytes: z.int().optional(),
  /** It can be started as a program then, and cannot now, or is not there. */
  becomesExecutable: z.boolean().optional(),
  isApplied: z.boolean(),
  /** The file changed since the run started: it cannot be applied. */
  hasConflict: z.boolean(),
  /** Why the operation is unknown. */
  problem: z.string().optional(),
});
export type ReviewFile = z.infer<typeof ReviewFile>;

/** One accepted file of a review; `text` where only some hunks were taken. */
export const AcceptedFile = z.object({
  path: z.string().max(4096),
  text: z.string().max(16_777_216).optional(),
});
export type AcceptedFile = z.infer<typeof AcceptedFile>;

/** One skill in two runs. */
export const StepComparison = z.object({
  skill: z.string(),
  a: PlanStep.pick({ decision: true }).extend({ state: StepState, durationMs: z.number() }).optional(),
  b: PlanStep.pick({ decision: true }).extend({ state: StepState, durationMs: z.number() }).optional(),
  /** Parts of the fingerprint, outputs, artifacts and verdicts that are not the same, in sentences. */
  differences: z.array(
    z.object({
      what: z.enum(['definition', 'decision', 'output', 'artifact', 'verdict', 'error']),
      subject: z.string(),
      before: z.string().optional(),
      after: z.string().optional(),
      /** Of what went into the step: how a plan would say it. */
      sentence: z.string().optional(),
    }),
  ),
});
export type StepComparison = z.infer<typeof StepComparison>;

export const RunComparison = z.object({ a: RunSummary, b: RunSummary, steps: z.array(StepComparison) });
export type RunComparison = z.infer<typeof RunComparison>;
