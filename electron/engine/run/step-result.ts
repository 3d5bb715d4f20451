import type { Artifact } from '../sandbox/artifacts.ts';
import type { LimitName, OutputStream } from '../sandbox/run-script.ts';

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
export type ProposedChange =
  ({ readonly operation: 'write' } & Artifact) | { readonly operation: 'delete'; readonly path: string };

/** What a failure counts as for `skill_retry`; a crash is a script that a signal ended. */
export type FailureCause =
  'timeout' | 'crash' | 'script_failure' | 'security_violation' | 'validation_failure';

/** Why a step failed. */
export interface StepError {
  readonly phase: 'execute';
  readonly cause: FailureCause;
  readonly skillName: string;
  readonly scriptName: string;
  /** Missing when the studio ended the script. */
  readonly exitCode?: number;
  readonly stderr: string;
  readonly message: string;
  /** Trying again can help, such as after a deadline. */
  readonly recoverable: boolean;
  /** Keys that the skill declares and did not deliver. */
  readonly missingKeys?: readonly string[];
}

interface StepRecord {
  readonly logs: readonly ScriptLog[];
  /** Files of the workspace that the scripts could see. */
  readonly filesSeen: number;
  readonly limitsHit: readonly LimitName[];
  /** What the sandbox refused, where the kernel tells. */
  readonly denied: readonly string[];
  readonly durationMs: number;
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
  | (StepRecord & { readonly state: 'failed'; readonly error: StepError })
  | (StepRecord & { readonly state: 'cancelled' });

/** Told of everything a script prints, as it prints it. */
export type OnScriptOutput = (scriptName: string, stream: OutputStream, text: string) => void;
