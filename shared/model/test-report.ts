import { z } from 'zod';
import { Diagnostic, Location } from './diagnostic.ts';
import { ModelUsage } from './models.ts';
import { StepRecord } from './run.ts';

export const expectationKinds = [
  /** The run itself: it must end well unless a failure is expected. */
  'run',
  'contains',
  'not_contains',
  'outputs',
  'artifacts',
  'validators_pass',
  'error',
] as const;

/** One thing that a fixture expects, and whether it came. */
export const ExpectationResult = z.object({
  kind: z.enum(expectationKinds),
  /** The text, key, path or validator that it is about; empty where the kind says it all. */
  subject: z.string(),
  passed: z.boolean(),
  /** For people: what was expected, and what came instead. */
  message: z.string(),
  expected: z.string().optional(),
  actual: z.string().optional(),
});
export type ExpectationResult = z.infer<typeof ExpectationResult>;

/** An error is a fixture that could not be tried. */
export const FixtureState = z.enum(['passed', 'failed', 'error', 'cancelled']);
export type FixtureState = z.infer<typeof FixtureState>;

/** What came of one fixture. */
export const FixtureResult = z.object({
  name: z.string(),
  skill: z.string().optional(),
  at: Location,
  state: FixtureState,
  expectations: z.array(ExpectationResult),
  /** Why it could not be tried. */
  problem: z.string().optional(),
  steps: z.array(
    StepRecord.pick({ skill: true, state: true, durationMs: true, error: true, blockedBy: true }),
  ),
  durationMs: z.number(),
  /** What all models read and wrote for it. */
  usage: ModelUsage,
});
export type FixtureResult = z.infer<typeof FixtureResult>;

/** All fixtures of one lens, tried once. */
export const TestReport = z.object({
  lens: z.string(),
  lensName: z.string(),
  /** The files the fixtures are from. */
  files: z.array(z.string()),
  startedAt: z.number(),
  durationMs: z.number(),
  results: z.array(FixtureResult),
  passed: z.int(),
  failed: z.int(),
  errors: z.int(),
  cancelled: z.int(),
  usage: ModelUsage,
});
export type TestReport = z.infer<typeof TestReport>;

/** The same fixtures without what the lens tells the model, beside the report with it. */
export const LensComparison = z.object({ with: TestReport, without: TestReport });
export type LensComparison = z.infer<typeof LensComparison>;

/** A fixture as lists show it. */
export const FixtureSummary = z.object({
  name: z.string(),
  description: z.string().optional(),
  skill: z.string().optional(),
  at: Location,
  /** How many things it expects; a run that must end well is one of them. */
  expectations: z.int(),
});
export type FixtureSummary = z.infer<typeof FixtureSummary>;

/** The fixtures of a lens. */
export const FixtureList = z.object({
  files: z.array(z.string()),
  fixtures: z.array(FixtureSummary),
  diagnostics: z.array(Diagnostic),
  /** Skills of the lens itself that no fixture is for. */
  untested: z.array(z.string()),
  /** The recorded answers beside them, which stand in for a model. */
  recording: z.string().optional(),
});
export type FixtureList = z.infer<typeof FixtureList>;

/** What happens while fixtures are tried, in order. */
export const TestEvent = z.discriminatedUnion('type', [
  z.object({ type: z.literal('started'), name: z.string() }),
  z.object({ type: z.literal('finished'), result: FixtureResult }),
  z.object({ type: z.literal('completed'), report: TestReport }),
]);
export type TestEvent = z.infer<typeof TestEvent>;
