import { setTimeout as pause } from 'node:timers/promises';
import { StudioError } from '#shared/errors.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import type { RunId, RunRequest, SandboxUse, StepFailure, StepRecord } from '#shared/model/run.ts';
import type { Verdict } from '#shared/model/verdict.ts';
import type { ActionCache } from '../cache/action-cache.ts';
import { outputDigestsOf, resultDigest, type CachedResult } from '../cache/cached-result.ts';
import type { Judged, VerdictMemory } from '../judge/judge.ts';
import type { KnownResult, StepDecision } from '../plan/planner.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import type { Resolution } from '../resolve/resolve.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { Log } from '../store/log.ts';
import type { GrantStore } from '../trust/grant-store.ts';
import { keptTexts } from './kept-texts.ts';
import type { RetryPolicy } from './retry.ts';
import type { RunFiles } from './run-files.ts';
import type { RunStream } from './run-stream.ts';
import type { FailureCause, ProposedChange, StepError, StepResult } from './step-result.ts';

type Ran = Extract<StepResult, { state: 'ran' }>;

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
  /** Bytes of what it proposes, by hash; those of a cached step are in the cache. */
  readonly contents?: ReadonlyMap<string, Uint8Array>;
}

/** Brings one step to its end: by the plan's own function it comes from the cache, is judged again, or runs. */
export class StepWork {
  readonly #parts: StepParts;
  readonly #turn: StepTurn;
  readonly #node: ResolvedSkill;
  readonly #beganAt = performance.now();
  readonly #startedAt = Date.now();
  #attempts = 0;
  #decision: StepDecision | undefined;
  #sandbox: SandboxUse | undefined;

  constructor(parts: StepParts, turn: StepTurn) {
    this.#parts = parts;
    this.#turn = turn;
    this.#node = parts.resolution.skills[turn.index]!;
  }

  /** Never throws: whatever goes wrong is how the step ended. */
  async run(): Promise<StepOutcome> {
    try {
      return await this.#decide();
    } catch (error) {
      if (this.#turn.signal().aborted) return this.#end({ state: 'cancelled' });
      return this.#end({ state: 'failed', error: this.#failureOf(error) });
    } finally {
      this.#parts.stream.endOutput(this.#turn.step.skill);
    }
  }

  async #decide(): Promise<StepOutcome> {
    const { files } = this.#parts;
    const { index, known } = this.#turn;
    const { planner } = files;
    let decision = planner.decide(index, known);
    if (decision.decision === 'run') {
      await files.snapshot();
      if (files.planner !== planner) decision = files.planner.decide(index, known);
    }
    this.#decision = decision;
    switch (decision.decision) {
      case 'run':
        return this.#execute(decision);
      case 'skip':
      case 'rejudge':
        return this.#fromCache(decision);
      case 'blocked':
        return this.#blocked(decision);
      case 'undecided':
        throw new Error(`Cannot decide about "${this.#node.id}" when all its dependencies are done`);
    }
  }

  #blocked({ reasons }: StepDecision): StepOutcome {
    const message = reasons.map(({ sentence }) => sentence).join('; ');
    this.#parts.stream.emit({ type: 'skill_blocked', skill_name: this.#turn.step.skill, message });
    const error = { phase: 'parse', skillName: this.#node.name, message, recoverable: false } as const;
    return this.#end({ state: 'blocked', error });
  }

  async #fromCache(decision: StepDecision): Promise<StepOutcome> {
    const { hit, key, verdicts } = decision;
    if (!hit || key === undefined) throw new Error(`A decision to skip "${this.#node.id}" has no result`);
    const savedMs = hit.origin.durationMs;
    const { stream } = this.#parts;
    stream.emit({
      type: 'skill_cache_hit',
      skill_name: this.#turn.step.skill,
      cache_key: key,
      saved_ms: savedMs,
    });
    this.#parts.cache.noteHit(hit);
    // A kept judgment that is skipped has let the result pass: one that did not is asked for again.
    let judged: Judged = { verdicts: verdicts ?? [], passed: true };
    if (decision.decision === 'rejudge') judged = await this.#judge(hit.result, hit.resultDigest);
    else this.#tell(judged, true);
    return this.#deliver(hit.result, {
      isCached: true,
      savedMs,
      digest: hit.resultDigest,
      outputs: hit.outputDigests,
      judged,
    });
  }

  async #execute(decision: StepDecision): Promise<StepOutcome> {
    const { stream, retry, cache, workspace, runId } = this.#parts;
    const { step, signal } = this.#turn;
    stream.emit({
      type: 'skill_execute_start',
      skill_name: step.skill,
      wave_index: step.wave,
      requires: (this.#node.skill.requires ?? []).map(({ key }) => key),
      context_keys_available: Object.keys(this.#inputs()).sort(),
      reasons: [...decision.reasons],
    });
    for (;;) {
      this.#attempts++;
      const tried = await this.#attempt(decision);
      if ('outcome' in tried) return tried.outcome;
      const { cause, error } = tried;
      if (!retry.retries(cause, this.#attempts)) {
        const { key } = decision;
        // A verdict is about a result that is good enough to keep; only what gave none is remembered as failed.
        if (key !== undefined && tried.judged === undefined) {
          cache.noteFailure({ key, workspace, skillId: this.#node.id, runId });
        }
        return tried.judged ?? this.#end({ state: 'failed', error });
      }
      stream.emit({
        type: 'skill_retry',
        skill_name: step.skill,
        attempt: this.#attempts + 1,
        limit: retry.maxAttempts,
        message: error.message,
      });
      await pause(retry.pauseMs(this.#attempts), undefined, { signal: signal() });
    }
  }

  async #attempt(
    decision: StepDecision,
  ): Promise<
    | { readonly outcome: StepOutcome }
    | { readonly cause: FailureCause; readonly error: StepFailure; readonly judged?: StepOutcome }
  > {
    const result = await this.#runScripts(decision);
    const { filesSeen, limitsHit, denied } = result;
    this.#sandbox = { filesSeen, limitsHit: [...limitsHit], denied: [...denied] };
    for (const what of result.denied) {
      this.#parts.stream.emit({ type: 'sandbox_denied', skill_name: this.#turn.step.skill, what });
    }
    if (result.state === 'cancelled') return { outcome: this.#end({ state: 'cancelled' }) };
    if (result.state === 'failed') return { cause: result.error.cause, error: stepFailure(result.error) };
    const contents = new Map<string, Uint8Array>();
    for (const change of result.changes) {
      if (change.operation === 'write') contents.set(change.sha256, change.content);
    }
    const kept = cachedResult(result);
    this.#keep(decision, kept, contents);
    const digest = resultDigest(kept);
    const judged = await this.#judge(kept, digest);
    const outputs = outputDigestsOf(kept.outputs);
    const outcome = { ...this.#deliver(kept, { isCached: false, digest, outputs, judged }), contents };
    if (judged.passed) return { outcome };
    return { cause: 'validation_failure', error: outcome.step.error!, judged: outcome };
  }

  async #runScripts({ fingerprint }: StepDecision): Promise<StepResult> {
    const { files, sandbox, grants, request, startedAt, stream } = this.#parts;
    const { index, signal, step } = this.#turn;
    const snapshot = await files.snapshot();
    // Loaded only where a script runs: a run that finds everything in the cache must be quick.
    const { runSkill } = await import('./run-skill.ts');
    return runSkill({
      skill: this.#node,
      sandbox,
      grants,
      snapshot,
      task: request.task,
      inputs: this.#inputs(),
      params: files.planner.inputs.paramsOf(index),
      startedAt,
      signal: signal(),
      filesDigest: fingerprint?.files,
      onOutput: (script, from, text) => stream.output(step.skill, script, from, text),
    });
  }

  #inputs(): Record<string, unknown> {
    const { index, outputs } = this.#turn;
    return this.#parts.files.planner.inputs.inputsOf(index, (producer) => outputs.get(producer) ?? {});
  }

  /** Puts a success into the cache; what was cut off is not one that may stand for the whole. */
  #keep(
    { key, fingerprint, files }: StepDecision,
    result: CachedResult,
    contents: ReadonlyMap<string, Uint8Array>,
  ): void {
    const { cache, request, workspace, runId } = this.#parts;
    const isOff = request.noCache === true || this.#node.skill.cache === false;
    if (isOff || key === undefined || !fingerprint || result.logs.some(({ truncated }) => truncated)) return;
    cache.put({
      key,
      fingerprint,
      workspace,
      skillId: this.#node.id,
      runId,
      result,
      artifacts: contents,
      texts: keptTexts({ node: this.#node, files, values: [...Object.values(this.#inputs())] }),
    });
  }

  async #judge(result: CachedResult, digest: Digest): Promise<Judged> {
    const { resolution, sandbox, request, cache, workspace, runId } = this.#parts;
    if (request.noJudge) return { verdicts: [], passed: true };
    let isCached = true;
    const memory: VerdictMemory = {
      find: (key) => (request.noCache ? undefined : cache.findJudgment(key)?.[0]),
      keep: (key, verdict) => {
        isCached = false;
        if (request.noCache) return;
        cache.putJudgment({ key, verdicts: [verdict], workspace, skillId: this.#node.id, runId });
      },
    };
    const { lens } = resolution;
    const { judge } = await import('../judge/judge.ts');
    const judged = await judge({
      lens,
      node: this.#node,
      result,
      resultDigest: digest,
      sandbox,
      memory,
      signal: this.#turn.signal(),
    });
    this.#tell(judged, isCached);
    return judged;
  }

  #tell({ verdicts, passed }: Judged, isCached: boolean): void {
    if (verdicts.length === 0) return;
    this.#parts.stream.emit({
      type: 'skill_judged',
      skill_name: this.#turn.step.skill,
      verdicts: [...verdicts],
      passed,
      cached: isCached,
    });
  }

  /** Ends the step with a result, which counts only if its judges let it pass. */
  #deliver(result: CachedResult, how: Delivery): StepOutcome {
    const { verdicts, passed } = how.judged;
    const artifacts = result.changes.map(({ path, operation, contentHash, mode }) => ({
      path,
      operation,
      ...(contentHash !== undefined && { contentHash }),
      ...(mode === 0o755 && { isExecutable: true }),
    }));
    for (const { path, operation, contentHash } of artifacts) {
      this.#parts.stream.emit({
        type: 'artifact_proposed',
        skill_name: this.#turn.step.skill,
        path,
        operation,
        ...(contentHash !== undefined && { content_hash: contentHash }),
      });
    }
    const ended = this.#end({
      state: passed ? (how.isCached ? 'cached' : 'ran') : 'judged-failed',
      cached: how.isCached,
      resultDigest: how.digest,
      content: result.content,
      outputs: result.outputs,
      artifacts,
      verdicts: [...verdicts],
      ...(how.savedMs !== undefined && { savedMs: how.savedMs }),
      ...(!passed && { error: judgedFailure(this.#node.name, verdicts) }),
    });
    if (!passed) return ended;
    return { ...ended, known: { resultDigest: how.digest, outputs: how.outputs }, outputs: result.outputs };
  }

  #end(changes: Partial<StepRecord>): StepOutcome {
    const decision = this.#decision;
    const step: StepRecord = {
      ...this.#turn.step,
      startedAt: this.#startedAt,
      durationMs: performance.now() - this.#beganAt,
      attempts: this.#attempts,
    };
    if (this.#sandbox) step.sandbox = this.#sandbox;
    if (decision) step.decision = decision.decision;
    if (decision?.key !== undefined) step.cacheKey = decision.key;
    return { step: Object.assign(step, changes) };
  }

  #failureOf(error: unknown): StepFailure {
    const skillName = this.#node.name;
    if (error instanceof StudioError) {
      const { message, code, details } = error;
      return { phase: 'execute', skillName, message, recoverable: false, details: { ...details, code } };
    }
    const reference = this.#parts.log.report(error);
    const message = `Something went wrong while "${skillName}" ran: see "${reference}" in the log`;
    return { phase: 'execute', skillName, message, recoverable: false, details: { reference } };
  }
}

interface Delivery {
  readonly isCached: boolean;
  readonly savedMs?: number;
  readonly digest: Digest;
  readonly outputs: Readonly<Record<string, Digest>>;
  readonly judged: Judged;
}

function judgedFailure(skillName: string, verdicts: readonly Verdict[]): StepFailure {
  const against = verdicts.filter(({ outcome }) => outcome === 'fail' || outcome === 'error');
  const said = against.map(({ judge: name, message }) => `${name}: ${message}`).join('; ');
  return { phase: 'validate', skillName, message: `The result did not pass: ${said}`, recoverable: true };
}

/** A failure as records have it: what only some failures have stands among its details. */
function stepFailure({ cause, missingKeys, ...error }: StepError): StepFailure {
  return { ...error, details: { cause, ...(missingKeys && { missingKeys }) } };
}

/** A result as the cache keeps it: proposed bytes stand beside it, by hash. */
function cachedResult({ content, outputs, changes, logs, limitsHit, durationMs }: Ran): CachedResult {
  return { content, outputs, changes: changes.map(keptChange), logs, limitsHit, durationMs };
}

function keptChange(change: ProposedChange): CachedResult['changes'][number] {
  if (change.operation === 'delete') return change;
  const { path, sha256, mode } = change;
  return { operation: 'write', path, contentHash: sha256, mode };
}
