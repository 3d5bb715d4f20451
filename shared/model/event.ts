import { z } from 'zod';
import { Reason } from './plan.ts';
import { RunId, RunStatus, StepFailure, StepState } from './run.ts';
import { Verdict } from './verdict.ts';

const base = { seq: z.int(), at: z.number(), run_id: RunId };

/** Everything that happens in a run, in order: page, terminal, JSON stream and journal read the same union. */
export const RunEvent = z.discriminatedUnion('type', [
  z.object({
    ...base,
    type: z.literal('run_start'),
    lens: z.string(),
    lens_name: z.string(),
    resumes: RunId.optional(),
  }),
  z.object({
    ...base,
    type: z.literal('skill_graph_resolved'),
    lens_name: z.string(),
    skill_count: z.int(),
    wave_count: z.int(),
    content_hash: z.string(),
  }),
  z.object({
    ...base,
    type: z.literal('skill_wave_start'),
    wave_index: z.int(),
    total_waves: z.int(),
    skills: z.array(z.string()),
    parallel: z.boolean(),
  }),
  z.object({
    ...base,
    type: z.literal('skill_wave_complete'),
    wave_index: z.int(),
    duration_ms: z.number(),
    succeeded: z.int(),
    failed: z.int(),
  }),
  z.object({
    ...base,
    type: z.literal('skill_cache_hit'),
    skill_name: z.string(),
    cache_key: z.string(),
    saved_ms: z.number(),
  }),
  z.object({
    ...base,
    type: z.literal('skill_execute_start'),
    skill_name: z.string(),
    wave_index: z.int(),
    requires: z.array(z.string()),
    context_keys_available: z.array(z.string()),
    /** Why it runs now: decided by the plan's own function when its turn came. */
    reasons: z.array(Reason),
  }),
  z.object({
    ...base,
    type: z.literal('skill_output'),
    skill_name: z.string(),
    script_name: z.string(),
    stream: z.enum(['stdout', 'stderr']),
    chunk: z.string(),
  }),
  z.object({
    ...base,
    type: z.literal('skill_execute_complete'),
    skill_name: z.string(),
    duration_ms: z.number(),
    produces: z.array(z.string()),
    cached: z.boolean(),
    success: z.boolean(),
    state: StepState,
    error: StepFailure.optional(),
  }),
  z.object({
    ...base,
    type: z.literal('skill_retry'),
    skill_name: z.string(),
    attempt: z.int(),
    limit: z.int(),
    message: z.string(),
  }),
  z.object({
    ...base,
    type: z.literal('skill_blocked'),
    skill_name: z.string(),
    blocked_by: z.string().optional(),
    message: z.string(),
  }),
  z.object({
    ...base,
    type: z.literal('skill_judged'),
    skill_name: z.string(),
    verdicts: z.array(Verdict),
    passed: z.boolean(),
    cached: z.boolean(),
  }),
  z.object({
    ...base,
    type: z.literal('skill_refined'),
    skill_name: z.string(),
    attempt: z.int(),
    message: z.string(),
  }),
  z.object({
    ...base,
    type: z.literal('artifact_proposed'),
    skill_name: z.string(),
    path: z.string(),
    operation: z.enum(['write', 'delete']),
    content_hash: z.string().optional(),
  }),
  z.object({
    ...base,
    type: z.literal('sandbox_denied'),
    skill_name: z.string(),
    what: z.string(),
  }),
  z.object({ ...base, type: z.literal('run_warning'), message: z.string() }),
  z.object({
    ...base,
    type: z.literal('run_complete'),
    status: RunStatus,
    duration_ms: z.number(),
    ran: z.int(),
    cached: z.int(),
    failed: z.int(),
    blocked: z.int(),
    saved_ms: z.number(),
    diverged: z.boolean(),
  }),
  z.object({ ...base, type: z.literal('artifacts_applied'), paths: z.array(z.string()) }),
  /** The stream cannot go on from the asked number: take a new snapshot. */
  z.object({ ...base, type: z.literal('snapshot_needed') }),
]);
export type RunEvent = z.infer<typeof RunEvent>;
export type RunEventType = RunEvent['type'];
