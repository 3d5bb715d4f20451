import { z } from 'zod';
import { RunEvent } from '#shared/model/event.ts';
import { Digest } from '#shared/model/fingerprint.ts';
import { Plan, PlanStep } from '#shared/model/plan.ts';
import { Divergence, RunId, RunRequest, RunStatus, StepRecord } from '#shared/model/run.ts';

/** How a journal begins: what was asked, and which process does it. */
export const RunHeader = z.object({
  runId: RunId,
  lens: z.string(),
  lensName: z.string(),
  startedAt: z.number(),
  request: RunRequest,
  resumes: RunId.optional(),
  /** A name for the process that no later one has: a journal without an end whose process is gone was interrupted. */
  mark: z.string(),
});
export type RunHeader = z.infer<typeof RunHeader>;

/** How a journal ends. */
export const RunEnd = z.object({
  status: RunStatus,
  durationMs: z.number(),
  predictedVsActual: z.array(Divergence),
  warnings: z.array(z.string()),
});
export type RunEnd = z.infer<typeof RunEnd>;

/** A finished step, with what the workspace had at the paths it proposes to change; null where there was no file. */
export const StepLine = z.object({
  step: StepRecord,
  baseline: z.record(z.string(), Digest.nullable()).optional(),
});
export type StepLine = z.infer<typeof StepLine>;

const KeptStep = z.tuple([
  ...([z.string(), z.string(), z.int(), z.array(z.string()).readonly(), Digest, Digest] as const),
  ...([z.string(), z.number(), z.number()] as const),
]);
const KeptSteps = z.array(KeptStep.readonly()).readonly();

/** A run that only repeats what was kept: the plan and every step in one line. */
const KeptPlan = z.object({
  lens: z.string(),
  lensName: z.string(),
  contentHash: z.string(),
  steps: KeptSteps,
});

/** A run that takes most of an earlier one: the plan, and the steps that were over with its start. */
const StandingLine = z.object({
  at: z.number(),
  concurrency: z.int(),
  steps: KeptSteps,
  plan: Plan.omit({ toSkip: true }).extend({
    decisions: z.array(z.union([z.int(), PlanStep])).readonly(),
  }),
});

/** One line of a journal: one key says what it is. */
export const JournalLine = z.union([
  z.object({ event: RunEvent }),
  StepLine,
  z.object({ run: RunHeader }),
  z.object({ plan: Plan }),
  z.object({ repeated: KeptPlan }),
  z.object({ standing: StandingLine }),
  z.object({ end: RunEnd }),
  /** What was written into the workspace, null for a deletion: from now on this is what the run saw there. */
  z.object({ applied: z.record(z.string(), Digest.nullable()) }),
]);
export type JournalLine = z.infer<typeof JournalLine>;
