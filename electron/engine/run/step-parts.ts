import type { RunId, RunRequest, StepRecord } from '#shared/model/run.ts';
import type { ActionCache } from '../cache/action-cache.ts';
import type { AskedModel } from '../models/asked-model.ts';
import type { KnownResult } from '../plan/planner.ts';
import type { Resolution } from '../resolve/resolve.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Log } from '../store/log.ts';
import type { GrantStore } from '../trust/grant-store.ts';
import type { RetryPolicy } from './retry.ts';
import type { TokenBudget } from './model/token-budget.ts';
import type { RunFiles } from './run-files.ts';
import type { RunStream } from './run-stream.ts';

/** What the steps of one run share. */
export interface StepParts {
  readonly runId: RunId;
  readonly resolution: Resolution;
  readonly request: RunRequest;
  readonly startedAt: Date;
  /** The name of the workspace in the cache. */
  readonly workspace: string;
  readonly files: RunFiles;
  readonly cache: ActionCache;
  readonly sandbox: Sandbox;
  readonly grants: GrantStore;
  readonly retry: RetryPolicy;
  /** The model that works; without one no skill with instructions is decided to run. */
  readonly model?: AskedModel | undefined;
  /** Whether models may still be asked. */
  readonly budget: TokenBudget;
  /** Tells the user something that belongs to no result. */
  readonly warn: (message: string) => void;
  /** The model that judges; without one, what needs a model is not judged. */
  readonly judgeModel?: AskedModel | undefined;
  readonly stream: RunStream;
  readonly log: Log;
}

/** One step whose turn has come. */
export interface StepTurn {
  readonly index: number;
  /** The step as it is so far. */
  readonly step: StepRecord;
  /** Results of the steps that are done, by index. */
  readonly known: ReadonlyMap<number, KnownResult>;
  /** What those delivered, by index. */
  readonly outputs: ReadonlyMap<number, Readonly<Record<string, unknown>>>;
  /** Made when it is first asked for: most steps of a run come from the cache and cannot be cancelled. */
  readonly signal: () => AbortSignal;
}

/** How a step ended, and what later steps get of it. */
export interface StepOutcome {
  readonly step: StepRecord;
  readonly known?: KnownResult;
  readonly outputs?: Readonly<Record<string, unknown>>;
  /** Bytes of what it proposes, by hash: the run keeps them, for the cache may drop its own. */
  readonly contents?: ReadonlyMap<string, Uint8Array>;
}

/** The values that a step gets for the keys it requires. */
export function inputsOf({ files }: StepParts, { index, outputs }: StepTurn): Record<string, unknown> {
  return files.planner.inputs.inputsOf(index, (producer) => outputs.get(producer) ?? {});
}
