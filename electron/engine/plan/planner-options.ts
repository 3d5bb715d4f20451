import type { PlanRequest } from '#shared/model/plan.ts';
import type { ScriptLanguage } from '#shared/model/skill.ts';
import type { ActionCache } from '../cache/action-cache.ts';
import type { ModelIdentity } from '../models/asked-model.ts';
import type { Resolution } from '../resolve/resolve.ts';
import type { JudgeModel } from './judges.ts';
import type { FileText } from './reason-difference.ts';
import type { StandingStep } from './step-decision.ts';
import type { TrustOf } from './step-problems.ts';

/** What a plan asks of the cache. */
export type PlanCache = Pick<
  ActionCache,
  'find' | 'nearest' | 'lastFailure' | 'text' | 'keeps' | 'durations' | 'findJudgment'
>;

/** How a skill ended the last time that it was in a run. */
export interface LastStep {
  /** It came to a result that counts: it neither failed nor was refused, blocked or ended before. */
  readonly isFinished: boolean;
  /** When that run started. */
  readonly at: number;
}

export interface PlannerOptions {
  readonly resolution: Resolution;
  readonly cache: PlanCache;
  /** The name of the workspace in the cache. */
  readonly workspace: string;
  /** Every file of the workspace that scripts may see: path → SHA-256. Not changed afterwards. */
  readonly files: ReadonlyMap<string, string>;
  /** What a script may use; a skill's own timeout is put in. */
  readonly limits: Readonly<Record<string, number>>;
  /** Versions by language; a language without a safe interpreter is not in it. */
  readonly interpreters: ReadonlyMap<ScriptLanguage, string>;
  readonly trustOf: TrustOf;
  readonly request: PlanRequest;
  /** How skills ended last, by id; needed only where the selection asks for what failed. */
  readonly lastSteps?: ReadonlyMap<string, LastStep> | undefined;
  /** Steps about which nothing has to be found out, by index; with a step all that it needs must stand. */
  readonly standing?: ReadonlyMap<number, StandingStep> | undefined;
  /** The model that works; without one, skills with instructions cannot run. */
  readonly model?: ModelIdentity | undefined;
  /** The model that judges; without one, what needs a model is not judged. */
  readonly judgeModel?: JudgeModel | undefined;
  readonly now: Date;
  /** Reads a file of the workspace as it is now, to show what changed in it. */
  readonly fileText?: FileText;
}
