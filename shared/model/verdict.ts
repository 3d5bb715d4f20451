import { z } from 'zod';
import { Severity } from './diagnostic.ts';

/** What one judge says about one result, and on what evidence. */
export const Verdict = z.object({
  judge: z.string(),
  kind: z.enum(['deterministic', 'heuristic', 'persona']),
  /** An error is a judge that broke, never a pass; not-judged is one that could not be asked. */
  outcome: z.enum(['pass', 'fail', 'error', 'not-judged']),
  severity: Severity,
  confidence: z.number().min(0).max(1).optional(),
  message: z.string(),
  /** The words of the result, or of the judge's output, that the verdict rests on. */
  evidence: z.string().optional(),
});
export type Verdict = z.infer<typeof Verdict>;
