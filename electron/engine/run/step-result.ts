import type { ModelCost, ModelFailureKind } from '#shared/model/models.ts';
import type { ViewChange } from '../tools/step-view.ts';
import type { LimitName, OnOutput } from '../sandbox/run-script.ts';

/** What one script printed, cleaned of what a terminal would obey. */
export interface ScriptLog {
  readonly scriptName: string;
  readonly stdout: string;
  readonly stderr: string;
  /** More was printed than is kept. */
  readonly truncated: boolean;
  readonly durationMs: number;
}

/** A change of one file of the workspace that a skill proposes. */
export type ProposedChange = ViewChange;

/** What a failure counts as for `skill_retry`; a crash is a script that a signal ended. */
export type FailureCause =
  'timeout' | 'crash' | 'script_failure' | 'model_failure' | 'security_violation' | 'validation_failure';

/** Why a step failed. */
export interface StepError {
  readonly phase: 'execute';
  readonly cause: FailureCause;
  readonly skillName: string;
  /** Missing where no script failed but the model. */
  readonly scriptName?: string;
  /** Missing when the studio ended the script. */
  readonly exitCode?: number;
  readonly stderr?: string;
  readonly message: string;
  /** Trying again can help, such as after a deadline. */
  readonly recoverable: boolean;
  /** Keys that the skill declares and did not deliver. */
  readonly missingKeys?: readonly string[];
  /** Why the model gave no usable answer. */
  readonly kind?: ModelFailureKind;
}

interface StepRecord {
  readonly logs: readonly ScriptLog[];
  /** Files of the workspace that the scripts could see. */
  readonly filesSeen: number;
  readonly limitsHit: readonly LimitName[];
  /** What the sandbox refused, where the kernel tells. */
  readonly denied: readonly string[];
  readonly durationMs: number;
  /** What its model cost; missing where none worked. */
  readonly model?: ModelCost;
}

/** How one skill of a run ended. A failed or cancelled one proposes nothing: half of a proposal is not a proposal. */
export type StepResult =
  | (StepRecord & {
      readonly state: 'ran';
      readonly content: string;
      /** A value for every key the skill produces. */
      readonly outputs: Readonly<Record<string, unknown>>;
      readonly changes: readonly ProposedChange[];
    })
  | (StepRecord & Unfinished & { readonly state: 'failed'; readonly error: StepError })
  | (StepRecord & Unfinished & { readonly state: 'cancelled' });

interface Unfinished {
  /** What the model had written until then. */
  readonly partial?: string;
}

/** Told of everything a script prints, as it prints it. */
export type OnScriptOutput = (scriptName: string, ...printed: Parameters<OnOutput>) => void;
