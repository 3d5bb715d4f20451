import type { Digest, Fingerprint } from '#shared/model/fingerprint.ts';
import type { Decision, Reason, ResultOrigin } from '#shared/model/plan.ts';
import type { JudgmentRule, Verdict } from '#shared/model/verdict.ts';
import type { CacheHit } from '../cache/cached-result.ts';

/** What later steps see of a result that is there. */
export interface KnownResult {
  readonly resultDigest: Digest;
  /** By produced key. */
  readonly outputs: Readonly<Record<string, Digest>>;
}

/** A step of an earlier plan whose kept result is still the one to take, as everything it rests on is as it was. */
export interface StandingStep {
  readonly key: Digest;
  readonly resultDigest: Digest;
  readonly origin: ResultOrigin;
  /** Read and checked where a step that does not stand needs it. */
  readonly hit?: CacheHit;
}

/**
 * How a step stands for those that need it; one that is not mentioned is pending. Of one that is refused the kept verdicts
 * do not let the result pass, or that of one before it: a plan cannot count on it.
 */
export type Known = KnownResult | 'pending' | 'blocked' | 'refused';

/** What is to be done with one step, and why. */
export interface StepDecision {
  readonly decision: Decision;
  /** At least one, the most telling first. */
  readonly reasons: readonly Reason[];
  /** Missing as long as an input is not known. */
  readonly key?: Digest;
  readonly fingerprint?: Fingerprint;
  /** What the skill sees of the workspace, as its fingerprint has it. */
  readonly files?: ReadonlyMap<string, Digest>;
  readonly hit?: CacheHit;
  /** Those that are kept for the hit. */
  readonly verdicts?: readonly Verdict[];
  /** When those let it pass. */
  readonly rule?: JudgmentRule;
  /** The kept verdicts refuse the hit, or that of a step before it. */
  readonly isRefused?: true;
  readonly estimatedMs?: number;
  readonly savedMs?: number;
  readonly from?: ResultOrigin;
}
