import { z } from 'zod';
import { ModelCost } from './models.ts';
import { StyledSpan } from './output-style.ts';
import { Reason } from './plan.ts';
import { RefinementStop, RunId, RunStatus, StepFailure, StepState } from './run.ts';
import { JudgmentRule, Verdict, VerdictOverride } from './verdict.ts';

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
    /** `model`: what a model writes as it writes it; `script_name` is then the model's name. */
    stream: z.enum(['stdout', 'stderr', 'model']),
    /** Plain text: nothing in it is for a terminal to obey. */
    chunk: z.string(),
    /** The colours that a script printed, by place in the chunk. */
    styles: z.array(StyledSpan).optional(),
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
    rule: JudgmentRule.optional(),
  }),
  z.object({
    ...base,
    type: z.literal('skill_refined'),
    skill_name: z.string(),
    /** The attempt that now begins, or the last one where `stop` says that there is none. */
    attempt: z.int(),
    /** Why the attempt before did not pass, as it is told to the model. */
    message: z.string(),
    stop: RefinementStop.optional(),
  }),
  /** A model called one of its tools. */
  z.object({
    ...base,
    type: z.literal('skill_tool'),
    skill_name: z.string(),
    tool: z.string(),
    /** What it was called with, cut to what a line can hold. */
    input: z.string(),
    ok: z.boolean(),
    /** What was refused or went wrong. */
    message: z.string().optional(),
  }),
  /** A model gave an answer, or none. */
  z.object({
    ...base,
    type: z.literal('skill_model'),
    skill_name: z.string(),
    purpose: z.enum(['work', 'judge']),
    cost: ModelCost,
    error: z.string().optional(),
  }),
  /** A person is asked in place of a model; `run.answer` carries the answer. */
  z.object({
    ...base,
    type: z.literal('answer_wanted'),
    skill_name: z.string(),
    request: z.string(),
    prompt: z.string(),
  }),
  z.object({ ...base, type: z.literal('answer_given'), skill_name: z.string(), request: z.string() }),
  /** A model opened a section or a skill that its prompt only named. */
  z.object({
    ...base,
    type: z.enum(['skill_activated', 'skill_expanded']),
    skill_name: z.string(),
    section: z.string(),
  }),
  /** A person put their word in place of a judge's, after the run; null where they took it back. */
  z.object({
    ...base,
    type: z.literal('verdict_overridden'),
    skill_name: z.string(),
    judge: z.string(),
    override: VerdictOverride.nullable(),
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
