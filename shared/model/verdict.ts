import { z } from 'zod';
import { Severity } from './diagnostic.ts';
import { Digest } from './fingerprint.ts';

/** Words that a verdict rests on, and where they stand. */
export const Evidence = z.object({
  quote: z.string(),
  file: z.string().optional(),
  line: z.int().optional(),
});
export type Evidence = z.infer<typeof Evidence>;

/** An error is a judge that broke, never a pass; not-judged is one that could not be asked. */
export const VerdictOutcome = z.enum(['pass', 'fail', 'error', 'not-judged']);
export type VerdictOutcome = z.infer<typeof VerdictOutcome>;

/** What a person says instead of a judge; the judge's own word stays beside it. */
export const VerdictOverride = z.object({
  outcome: z.enum(['pass', 'fail']),
  note: z.string().trim().min(1).max(2000),
  at: z.number(),
});
export type VerdictOverride = z.infer<typeof VerdictOverride>;

/** What one judge says about one result, and on what evidence. */
export const Verdict = z.object({
  judge: z.string(),
  kind: z.enum(['deterministic', 'heuristic', 'persona']),
  outcome: VerdictOutcome,
  severity: Severity,
  confidence: z.number().min(0).max(1).optional(),
  message: z.string(),
  /** The words of the result, or of the judge's output, that the verdict rests on. */
  evidence: z.array(Evidence).optional(),
  /** What a persona would still ask. */
  questions: z.array(z.string()).optional(),
  override: VerdictOverride.optional(),
  /** What it is kept under; missing where the result was judged before verdicts said so. */
  key: Digest.optional(),
});
export type Verdict = z.infer<typeof Verdict>;

/** When the verdicts about a result let it pass. */
export const JudgmentRule = z.object({
  minConfidence: z.number(),
  /** The share of personas that must be able to use the result. */
  personaAgreement: z.number(),
  /** Judges without whose yes nothing passes. */
  required: z.array(z.string()),
});
export type JudgmentRule = z.infer<typeof JudgmentRule>;
