import { setTimeout as pause } from 'node:timers/promises';
import { StudioError } from '#shared/errors.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import type { SandboxUse, StepFailure, StepRecord } from '#shared/model/run.ts';
import type { Verdict } from '#shared/model/verdict.ts';
import { outputDigestsOf, type CachedResult } from '../cache/cached-result.ts';
import type { Judged } from '../judge/judge.ts';
import type { StepDecision } from '../plan/planner.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import { judgeStep, tellJudged } from './judge-step.ts';
import { keepStep, workedOf, type Worked } from './keep-step.ts';
import { inputsOf, type StepOutcome, type StepParts, type StepTurn } from './step-parts.ts';
import type { StepError, StepResult } from './step-result.ts';
import { workStep } from './work-step.ts';

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
    if (decision.decision === 'rejudge')
      judged = await judgeStep(this.#parts, this.#turn, hit.result, hit.resultDigest);
    else tellJudged(this.#parts, this.#turn, judged, true);
    return this.#deliver(hit.result, {
      isCached: true,
      savedMs,
      digest: hit.resultDigest,
      outputs: hit.outputDigests,
      judged,
    });
  }

  async #execute(decision: StepDecision): Promise<StepOutcome> {
    const { stream, retry } = this.#parts;
    const { step } = this.#turn;
    stream.emit({
      type: 'skill_execute_start',
      skill_name: step.skill,
      wave_index: step.wave,
      requires: (this.#node.skill.requires ?? []).map(({ key }) => key),
      context_keys_available: Object.keys(inputsOf(this.#parts, this.#turn)).sort(),
      reasons: [...decision.reasons],
    });
    for (;;) {
      const worked = await this.#work(decision);
      if ('ended' in worked) return worked.ended;
      keepStep(this.#parts, this.#turn, decision, worked);
      const { result, digest, contents } = worked;
      const judged = await judgeStep(this.#parts, this.#turn, result, digest);
      if (judged.passed || !retry.retries('validation_failure', this.#attempts)) {
        const outputs = outputDigestsOf(result.outputs);
        return { ...this.#deliver(result, { isCached: false, digest, outputs, judged }), contents };
      }
      await this.#pause(judgedFailure(this.#node.name, judged.verdicts).message);
    }
  }

  /** Works until there is a result, as often as the lens wants failures tried again. */
  async #work(decision: StepDecision): Promise<Worked | { readonly ended: StepOutcome }> {
    const { retry, cache, workspace, runId } = this.#parts;
    for (;;) {
      this.#attempts++;
      const result = await workStep(this.#parts, this.#turn, decision);
      this.#noteSandbox(result);
      switch (result.state) {
        case 'ran':
          return workedOf(result);
        case 'cancelled':
          return { ended: this.#end({ state: 'cancelled' }) };
        case 'failed':
          break;
      }
      const error = stepFailure(result.error);
      if (!retry.retries(result.error.cause, this.#attempts)) {
        const { key } = decision;
        if (key !== undefined) cache.noteFailure({ key, workspace, skillId: this.#node.id, runId });
        return { ended: this.#end({ state: 'failed', error }) };
      }
      await this.#pause(error.message);
    }
  }

  /** Waits before the next attempt, for as long as the lens wants. */
  async #pause(message: string): Promise<void> {
    const { stream, retry } = this.#parts;
    const { step, signal } = this.#turn;
    stream.emit({
      type: 'skill_retry',
      skill_name: step.skill,
      attempt: this.#attempts + 1,
      limit: retry.maxAttempts,
      message,
    });
    await pause(retry.pauseMs(this.#attempts), undefined, { signal: signal() });
  }

  #noteSandbox({ filesSeen, limitsHit, denied }: StepResult): void {
    this.#sandbox = { filesSeen, limitsHit: [...limitsHit], denied: [...denied] };
    for (const what of denied) {
      this.#parts.stream.emit({ type: 'sandbox_denied', skill_name: this.#turn.step.skill, what });
    }
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
