import { setTimeout as pause } from 'node:timers/promises';
import { StudioError } from '#shared/errors.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import { qualityPolicyDefaults } from '#shared/model/lens.ts';
import type { ModelCost } from '#shared/model/models.ts';
import type { SandboxUse, StepFailure, StepRecord } from '#shared/model/run.ts';
import { outputDigestsOf, type CachedResult } from '../cache/cached-result.ts';
import type { Judged } from '../judge/judge.ts';
import type { StepDecision } from '../plan/planner.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import { steadyMs } from '../store/steady-clock.ts';
import { addCost } from './add-cost.ts';
import { judgedBefore, judgeStep, tellJudged, type ResultToJudge } from './judge-step.ts';
import { keepStep, workedOf, type Worked } from './keep-step.ts';
import { hasInstructions } from '../prompt/offered-skills.ts';
import { refine, type Attempted, type Refined } from './refine.ts';
import { brokenOff, brokenRefinement, judgedFailure, stepFailure, stopBy } from './step-failures.ts';
import { inputsOf, type StepOutcome, type StepParts, type StepTurn } from './step-parts.ts';
import type { FailureCause, StepResult } from './step-result.ts';
import { workStep, type Again } from './work-step.ts';

/** Brings one step to its end: by the plan's own function it comes from the cache, is judged again, or runs. */
export class StepWork {
  readonly #parts: StepParts;
  readonly #turn: StepTurn;
  readonly #node: ResolvedSkill;
  readonly #beganAt = steadyMs();
  readonly #startedAt = Date.now();
  #attempts = 0;
  #decision: StepDecision | undefined;
  #sandbox: SandboxUse | undefined;
  /** All attempts together. */
  #cost: ModelCost | undefined;
  #judging: ModelCost | undefined;

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
      await files.viewOf(decision.files);
      if (files.planner !== planner) decision = files.planner.decide(index, known);
    }
    this.#decision = decision;
    switch (decision.decision) {
      case 'run':
        return this.#execute(decision);
      case 'skip':
      case 'rejudge':
        // Where another process made room just now, there is no result any more.
        return (await this.#fromCache(decision)) ?? this.#decide();
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

  async #fromCache(decision: StepDecision): Promise<StepOutcome | undefined> {
    const { hit, key } = decision;
    if (!hit || key === undefined) throw new Error(`A decision to skip "${this.#node.id}" has no result`);
    this.#parts.cache.noteHit(hit);
    const contents = this.#proposedBy(hit.result);
    if (!contents) return undefined;
    const savedMs = hit.origin.durationMs;
    const { stream } = this.#parts;
    stream.emit({
      type: 'skill_cache_hit',
      skill_name: this.#turn.step.skill,
      cache_key: key,
      saved_ms: savedMs,
    });
    let judged = judgedBefore(decision);
    if (decision.decision === 'skip') tellJudged(this.#parts, this.#turn, judged, true);
    else judged = await this.#judge({ ...hit, digest: hit.resultDigest, contents });
    const delivered = this.#deliver(hit.result, {
      isCached: true,
      savedMs,
      digest: hit.resultDigest,
      outputs: hit.outputDigests,
      judged,
    });
    return { ...delivered, contents };
  }

  /** The bytes of all that a kept result proposes; undefined where they are not all there any more. */
  #proposedBy({ changes }: CachedResult): Map<Digest, Uint8Array> | undefined {
    const contents = new Map<Digest, Uint8Array>();
    for (const { contentHash } of changes) {
      if (contentHash === undefined) continue;
      const content = this.#parts.cache.artifact(contentHash);
      if (!content) return undefined;
      contents.set(contentHash, content);
    }
    return contents;
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
      const refined = await this.#refine(decision);
      if (refined.best === undefined) return refined.failure;
      const { best, judged, refinement, failure } = refined;
      const hasFailed = judged.overall.outcome === 'failed';
      const isAgain = this.#limit() === undefined && retry.retries('validation_failure', this.#attempts);
      if (hasFailed && isAgain) {
        await this.#pause('validation_failure', judgedFailure(this.#node.name, judged).message);
        continue;
      }
      const { result, digest, contents } = best.worked;
      const { verdicts, rule } = judged;
      const told = verdicts.length === 0 ? {} : { refinement };
      if (refinement.stop === 'cancelled') {
        const { content } = result;
        return this.#end({
          state: 'cancelled',
          ...told,
          content,
          verdicts: [...verdicts],
          ...(rule && { rule }),
        });
      }
      keepStep(this.#parts, this.#turn, decision, best.worked);
      const outputs = outputDigestsOf(result.outputs);
      const delivered = this.#deliver(result, { isCached: false, digest, outputs, judged });
      const error = failure?.step.error && brokenRefinement(failure.step.error, refinement);
      return { ...delivered, step: { ...delivered.step, ...told, ...(error && { error }) }, contents };
    }
  }

  /** Works and has the result judged, as often as its lens wants one that does not pass refined. */
  #refine(decision: StepDecision): Promise<Refined<Made, Judged, StepOutcome>> {
    const { stream } = this.#parts;
    const { step, signal } = this.#turn;
    let before: Worked | undefined;
    return refine<Made, Judged, StepOutcome>({
      attempt: async (feedback) => {
        const again = feedback === undefined || !before ? undefined : { feedback, before };
        const worked = await this.#work(decision, again);
        if ('ended' in worked) return { failure: worked.ended, stop: stopBy(worked.ended) };
        before = worked;
        const { result, digest: made, cost } = worked;
        const { content, durationMs } = result;
        return { result: { content, resultDigest: made, durationMs, cost, worked } };
      },
      judge: ({ worked }) => this.#judge(worked),
      limit: this.#limit(),
      hasBudget: () => this.#parts.budget.left !== 0,
      signal: signal(),
      onRefined: (told) => stream.emit({ type: 'skill_refined', skill_name: step.skill, ...told }),
    });
  }

  /** How often a result is refined; undefined for scripts, which would make the same again. */
  #limit(): number | undefined {
    const { request, resolution } = this.#parts;
    if (!hasInstructions(this.#node)) return undefined;
    if (request.noRefine) return 0;
    const { lens, judgedBy = lens } = resolution;
    return judgedBy?.qualityPolicy.retryLimit ?? qualityPolicyDefaults.retryLimit;
  }

  /** Works until there is a result, as often as the lens wants failures tried again. */
  async #work(
    decision: StepDecision,
    again: Again | undefined,
  ): Promise<Worked | { readonly ended: StepOutcome }> {
    const { retry, cache, workspace, runId } = this.#parts;
    for (;;) {
      this.#attempts++;
      const result = await workStep(this.#parts, this.#turn, decision, again);
      this.#noteSandbox(result);
      if (result.model) this.#cost = addCost(this.#cost, result.model);
      switch (result.state) {
        case 'ran':
          return workedOf(result);
        case 'cancelled':
          return { ended: this.#end({ state: 'cancelled', ...brokenOff(result.partial) }) };
        case 'failed':
          break;
      }
      const error = stepFailure(result.error);
      if (!retry.retries(result.error.cause, this.#attempts)) {
        const { key } = decision;
        if (key !== undefined) cache.noteFailure({ key, workspace, skillId: this.#node.id, runId });
        const told = await this.#withWaysOut(error, decision);
        return { ended: this.#end({ state: 'failed', error: told, ...brokenOff(result.partial) }) };
      }
      await this.#pause(result.error.cause, error.message);
    }
  }

  async #withWaysOut(error: StepFailure, { files: seen }: StepDecision): Promise<StepFailure> {
    const { stderr } = error;
    if (stderr === undefined || !seen) return error;
    // Loaded only where a script fails.
    const { waysOutOf } = await import('./ways-out.ts');
    const { resolution, files } = this.#parts;
    const waysOut = waysOutOf({ resolution, index: this.#turn.index, stderr, files: files.files, seen });
    return waysOut.length > 0 ? { ...error, waysOut } : error;
  }

  /** Waits before the next attempt, for as long as the lens wants. */
  async #pause(cause: FailureCause, message: string): Promise<void> {
    const { stream, retry } = this.#parts;
    const { step, signal } = this.#turn;
    stream.emit({
      type: 'skill_retry',
      skill_name: step.skill,
      attempt: this.#attempts + 1,
      limit: retry.attemptsFor(cause),
      message,
    });
    await pause(retry.pauseMs(this.#attempts), undefined, { signal: signal() });
  }

  #judge(result: ResultToJudge): Promise<Judged> {
    return judgeStep(this.#parts, this.#turn, result, (cost) => {
      this.#judging = addCost(this.#judging, cost);
    });
  }

  #noteSandbox({ filesSeen, limitsHit, denied }: StepResult): void {
    this.#sandbox = { filesSeen, limitsHit: [...limitsHit], denied: [...denied] };
    for (const what of denied) {
      this.#parts.stream.emit({ type: 'sandbox_denied', skill_name: this.#turn.step.skill, what });
    }
  }

  /** Ends the step with a result, which counts unless its judges refuse it. */
  #deliver(result: CachedResult, how: Delivery): StepOutcome {
    const { verdicts, rule, overall } = how.judged;
    const hasFailed = overall.outcome === 'failed';
    const artifacts = result.changes.map(({ path, operation, contentHash, bytes, mode }) => ({
      path,
      operation,
      ...(contentHash !== undefined && { contentHash }),
      ...(bytes !== undefined && { bytes }),
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
      state: hasFailed ? 'judged-failed' : how.isCached ? 'cached' : 'ran',
      cached: how.isCached,
      resultDigest: how.digest,
      content: result.content,
      outputs: result.outputs,
      artifacts,
      verdicts: [...verdicts],
      ...(rule && verdicts.length > 0 && { rule }),
      ...(how.savedMs !== undefined && { savedMs: how.savedMs }),
      ...(hasFailed && { error: judgedFailure(this.#node.name, how.judged) }),
    });
    if (hasFailed) return ended;
    return { ...ended, known: { resultDigest: how.digest, outputs: how.outputs }, outputs: result.outputs };
  }

  #end(changes: Partial<StepRecord>): StepOutcome {
    const decision = this.#decision;
    const step: StepRecord = {
      ...this.#turn.step,
      startedAt: this.#startedAt,
      durationMs: steadyMs() - this.#beganAt,
      attempts: this.#attempts,
    };
    if (this.#sandbox) step.sandbox = this.#sandbox;
    if (this.#cost) step.model = this.#cost;
    if (this.#judging) step.judging = this.#judging;
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

/** An attempt as it is refined, with all that it left. */
interface Made extends Attempted {
  readonly worked: Worked;
}
