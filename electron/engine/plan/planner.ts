import { findSkills } from '#shared/graph/find-skills.ts';
import { outcomeOf, overall } from '#shared/judgment/overall.ts';
import type { Digest, Fingerprint } from '#shared/model/fingerprint.ts';
import type { Plan, PlanRequest, Reason, ReasonDifference } from '#shared/model/plan.ts';
import { skillDefaults, type ValidateWith } from '#shared/model/skill.ts';
import type { JudgmentRule, Verdict } from '#shared/model/verdict.ts';
import type { CacheHit } from '../cache/cached-result.ts';
import { cacheKey, fingerprintOf } from '../fingerprint/fingerprint.ts';
import { lensPart } from '../prompt/lens-part.ts';
import { hasInstructions } from '../prompt/offered-skills.ts';
import type { Resolution } from '../resolve/resolve.ts';
import { digestOf } from '../store/digest.ts';
import { flowOf, type Flow } from './flow.ts';
import { judgeKey, judgmentOf, keptVerdict, verdictUnasked, type Judge, type Judgment } from './judges.ts';
import { MissReasons } from './miss-reasons.ts';
import { planDocument } from './plan-document.ts';
import type { PlannerOptions } from './planner-options.ts';
import { differenceOf } from './reason-difference.ts';
import {
  blockedByReason,
  cachedReason,
  notJudgedReason,
  notPassedReason,
  plainReasons,
  twinRunsReason,
  upstreamRunsReason,
  validatorReason,
} from './reasons.ts';
import { seenFiles } from './seen-files.ts';
import { selectSkills } from './selection.ts';
import type { Known, StandingStep, StepDecision } from './step-decision.ts';
import { StepInputs } from './step-inputs.ts';
import { StepNeeds } from './step-needs.ts';
import { StepProblems } from './step-problems.ts';

export type { Known, KnownResult, StandingStep, StepDecision } from './step-decision.ts';

/**
 * Says what a run would do with every skill, and why. `decide` is the one function behind it: a plan feeds it with kept
 * results, a run with actual ones, so that a run can only depart from its plan where the world changed in between.
 */
export class Planner {
  readonly #options: PlannerOptions;
  readonly #flow: Flow;
  readonly #problems: StepProblems;
  readonly #needs: StepNeeds;
  readonly #missReasons: MissReasons;
  readonly #forced: (index: number) => boolean;
  /** By what a skill says of it: most say nothing, and a validator's script is read from its file. */
  readonly #judgments = new Map<ValidateWith | undefined, Judgment>();
  #twins: ReadonlySet<number> | undefined;
  /** A run asks for what its plan has asked for. */
  readonly #steps = new Map<number, Step>();
  /** Where the values of a step come from. */
  readonly inputs: StepInputs;
  /** The selected skills in the order of the plan: by wave, then name. */
  readonly selected: readonly number[];

  constructor(options: PlannerOptions) {
    const { resolution, request } = options;
    this.#options = options;
    this.#flow = flowOf(resolution.graph);
    this.#problems = new StepProblems(options);
    this.#missReasons = new MissReasons(options);
    this.#forced = forcedBy(resolution, request.force);
    this.inputs = new StepInputs(resolution, request);
    this.#needs = new StepNeeds(this.inputs, this.#problems);
    this.selected = this.#select();
  }

  plan(): Plan {
    const { resolution } = this.#options;
    return planDocument({ resolution, flow: this.#flow, steps: this.#walk(this.selected) });
  }

  /** Decides about one step by what is known of those it needs. */
  decide(index: number, known: ReadonlyMap<number, Known>): StepDecision {
    const standing = this.#options.standing?.get(index);
    if (standing) return this.#skip(standing);
    const { needed, lacking } = this.#needs.of(index);
    // In a circle every skill would name the others once more.
    const isPlaced = this.#flow.waveOf[index]! >= 0;
    const blocking = needed.filter((other) => isPlaced && known.get(other) === 'blocked');
    if (lacking.length + blocking.length > 0) {
      const waitsFor = blocking.map((other) => blockedByReason(this.#flow.labels[other]!));
      return { decision: 'blocked', reasons: [...lacking, ...waitsFor] };
    }

    const refused = needed.filter((other) => isPlaced && known.get(other) === 'refused');
    if (refused.length > 0) return this.#afterRefused(index, refused);
    const isReady = needed.every((other) => typeof known.get(other) === 'object');
    const step = isReady ? this.#step(index, known) : undefined;
    const must = this.#mustRun(index);
    if (must) return { decision: 'run', reasons: [must], ...this.#estimate(index), ...step };
    return step ? this.#byCache(index, step) : this.#undecided(index, needed, known);
  }

  /** Both sides of one reason as text, where it is kept. */
  difference(skillId: string, reason: Reason): ReasonDifference {
    const { resolution, cache, request, fileText } = this.#options;
    const [index] = findSkills(resolution.graph, [skillId]);
    const node = resolution.skills[index!]!;
    const facts = { node, cache, inputs: request.inputs ?? {}, task: request.task, fileText };
    return differenceOf(reason, { ...facts, lens: lensPart(resolution, node) });
  }

  /** A value for every required key as far as it is known; `unknown` says what stands for one that a skill still makes. */
  keptInputs(index: number, unknown: (key: string, producer: string) => unknown): Record<string, unknown> {
    const steps = this.#walk(this.#flow.order);
    return Object.fromEntries(
      this.#flow.requires[index]!.flatMap((key) => {
        const source = this.inputs.sourceOf(index, key);
        if (source.from === 'nowhere') return [];
        if (source.from === 'outside') return [[key, source.value] as const];
        const outputs = steps.get(source.index)?.hit?.result.outputs ?? {};
        const value = Object.hasOwn(outputs, key)
          ? outputs[key]
          : unknown(key, this.#flow.labels[source.index]!);
        return [[key, value] as const];
      }),
    );
  }

  #select(): readonly number[] {
    const { resolution, request } = this.#options;
    const { graph, skills } = resolution;
    if (!request.selection) return this.#flow.order;
    let steps: ReadonlyMap<number, StepDecision> | undefined;
    const isStale = (index: number): boolean =>
      (steps ??= this.#walk(this.#flow.order)).get(index)!.decision !== 'skip';
    const chosen = new Set(
      selectSkills(graph, request.selection, {
        // One that is as it was before it failed has a result again.
        hasFailed: (index) => this.#hasFailed(skills[index]!.id) && isStale(index),
        isStale,
      }),
    );
    return this.#flow.order.filter((index) => chosen.has(index));
  }

  /** By the runs of the lens, and by what other lenses that have the skill left in the cache since. */
  #hasFailed(skillId: string): boolean {
    const { cache, workspace, lastSteps } = this.#options;
    const last = lastSteps?.get(skillId);
    if (last?.isFinished === false) return true;
    const failure = cache.lastFailure(workspace, skillId);
    return failure !== undefined && failure.at > (last?.at ?? 0);
  }

  /** Goes through skills in order and takes every kept result for the one that a run would find. */
  #walk(order: readonly number[]): Map<number, StepDecision> {
    const known = new Map<number, Known>();
    const running = new Map<Digest, number>();
    const steps = new Map<number, StepDecision>();
    for (const index of order) {
      const step = this.#unlessTwin(this.decide(index, known), running, index);
      steps.set(index, step);
      known.set(index, knownAfter(step));
    }
    return steps;
  }

  /** Of two skills that do exactly the same, the second finds the result of the first, or runs beside it. */
  #unlessTwin(step: StepDecision, running: Map<Digest, number>, index: number): StepDecision {
    const { decision, key } = step;
    if (decision !== 'run' || key === undefined || this.#mustRun(index)) return step;
    const twin = running.get(key);
    if (twin === undefined) {
      running.set(key, index);
      return step;
    }
    return { ...step, decision: 'undecided', reasons: [twinRunsReason(this.#flow.labels[twin]!)] };
  }

  #mustRun(index: number): Reason | undefined {
    const { request, resolution } = this.#options;
    if (this.#forced(index)) return plainReasons.forced;
    if (request.noCache) return plainReasons.runCacheOff;
    const isCached = resolution.skills[index]!.skill.cache ?? skillDefaults.cache;
    return isCached ? undefined : plainReasons.skillCacheOff;
  }

  #undecided(index: number, needed: readonly number[], known: ReadonlyMap<number, Known>): StepDecision {
    const estimate = this.#estimate(index);
    const certain = this.#missReasons.whateverComesIn(index, () => this.#fingerprint(index, {}, {}));
    // Another skill may leave the result meanwhile.
    if (certain && !(this.#twins ??= this.#findTwins()).has(index))
      return { decision: 'run', reasons: certain, ...estimate };
    const pending = needed.filter((other) => typeof known.get(other) !== 'object');
    const reasons = pending.map((other) => upstreamRunsReason(this.#flow.labels[other]!));
    return { decision: 'undecided', reasons, ...estimate };
  }

  /** Whatever is to be said of the skill itself: it runs only if somebody lets the result before it pass. */
  #afterRefused(index: number, refused: readonly number[]): StepDecision {
    const reasons = refused.map((other) => upstreamRunsReason(this.#flow.labels[other]!));
    return { decision: 'undecided', reasons, ...this.#estimate(index), isRefused: true };
  }

  #byCache(index: number, step: Step): StepDecision {
    const hit = this.#options.cache.find(step.key);
    if (!hit) {
      const reasons = this.#missReasons.of(index, step);
      return { decision: 'run', reasons, ...this.#estimate(index), ...step };
    }
    const { fingerprint, files } = step;
    const cached: StepDecision = { ...this.#skip({ ...hit, hit }), fingerprint, files };
    return this.#options.request.noJudge ? cached : this.#judged(index, hit, cached);
  }

  #skip({ key, origin, hit }: StandingStep): StepDecision {
    const reasons = [cachedReason(origin, this.#options.now)];
    const from = { from: origin, savedMs: origin.durationMs };
    return { decision: 'skip', reasons, key, ...(hit && { hit }), ...from };
  }

  /** A kept result counts only with kept verdicts that do not refuse it; one that nobody could judge is not hidden. */
  #judged(index: number, { resultDigest }: CacheHit, cached: StepDecision): StepDecision {
    const { resolution, cache, judgeModel } = this.#options;
    const node = resolution.skills[index]!;
    const { validateWith } = node.skill;
    let judgment = this.#judgments.get(validateWith);
    if (!judgment) this.#judgments.set(validateWith, (judgment = judgmentOf(resolution, node)));
    if (judgment.judges.length === 0) return cached;
    const verdicts: Verdict[] = [];
    const open: Judge[] = [];
    for (const judge of judgment.judges) {
      const key = judgeKey(resultDigest, judge, judgeModel);
      const verdict = keptVerdict(cache.findJudgment(key)) ?? verdictUnasked(judge, judgeModel !== undefined);
      if (verdict) verdicts.push({ ...verdict, key });
      else open.push(judge);
    }
    const { rule } = judgment;
    if (open.length > 0) return { ...cached, decision: 'rejudge', ...openTo(open, verdicts, rule) };
    const { outcome, why } = overall(verdicts, rule);
    const judged = { ...cached, verdicts, rule };
    if (outcome === 'passed') return judged;
    if (outcome === 'not-judged')
      return { ...judged, reasons: [...cached.reasons, notJudgedReason(verdicts)] };
    const reasons = [notPassedReason(verdicts, why)];
    // Scripts would make the same again, and no work mends a judge that is not there; a model may do better.
    const isInVain = !hasInstructions(node) || verdicts.some((verdict) => outcomeOf(verdict) === 'error');
    if (isInVain) return { ...judged, decision: 'rejudge', reasons, isRefused: true };
    const { hit: _hit, from: _from, savedMs: _savedMs, ...step } = cached;
    return { ...step, decision: 'run', reasons, ...this.#estimate(index) };
  }

  #step(index: number, known: ReadonlyMap<number, Known>): Step {
    const resultOf = (other: number) => {
      const result = known.get(other);
      if (typeof result !== 'object') throw new Error(`Skill ${other} has no result yet`);
      return result;
    };
    const { silent } = this.#needs.of(index);
    const upstream = Object.fromEntries(
      silent.map((dependency) => [dependency.name, resultOf(dependency.index).resultDigest]),
    );
    const inputs = this.inputs.inputDigests(index, (producer) => resultOf(producer).outputs);
    const before = this.#steps.get(index);
    if (before && isSame(before.fingerprint.inputs, inputs) && isSame(before.fingerprint.upstream, upstream))
      return before;
    const step = this.#fingerprint(index, inputs, upstream);
    this.#steps.set(index, step);
    return step;
  }

  #fingerprint(index: number, inputs: Record<string, Digest>, upstream: Record<string, Digest>): Step {
    const { resolution, trustOf, limits, interpreters, request, model, now } = this.#options;
    const node = resolution.skills[index]!;
    const answer = trustOf(node);
    const isForModel = hasInstructions(node);
    if (typeof answer === 'object' && !isForModel)
      throw new Error(`Skill "${node.id}" may not run: ${answer.problem}`);
    const trust = typeof answer === 'object' ? 'none' : answer;
    const files = seenFiles(this.#options.files, node);
    const fingerprint = fingerprintOf({
      node,
      trust,
      limits: { ...limits, timeoutMs: (node.skill.timeoutSeconds ?? skillDefaults.timeoutSeconds) * 1000 },
      interpreters,
      inputs,
      params: this.inputs.paramDigests(index),
      upstream,
      files,
      // Scripts get an empty task where none is given.
      task: request.task === '' ? undefined : request.task,
      ...(isForModel && { model: model?.record, lens: digestOf(lensPart(resolution, node)) }),
      now,
    });
    return { key: cacheKey(fingerprint), fingerprint, files };
  }

  /** Skills that would find one another's results if they got the same inputs. */
  #findTwins(): ReadonlySet<number> {
    const first = new Map<Digest, number>();
    const twins = new Set<number>();
    for (const index of this.#flow.order) {
      if (this.#problems.of(index).length > 0) continue;
      const { key } = this.#fingerprint(index, {}, {});
      const twin = first.get(key);
      if (twin === undefined) first.set(key, index);
      else twins.add(twin).add(index);
    }
    return twins;
  }

  #estimate(index: number): { estimatedMs?: number } {
    const { cache, workspace, resolution } = this.#options;
    const durations = cache.durations(workspace, resolution.skills[index]!.id).toSorted((a, b) => a - b);
    const median = durations[Math.floor(durations.length / 2)];
    return median === undefined ? {} : { estimatedMs: median };
  }
}

interface Step {
  readonly key: Digest;
  readonly fingerprint: Fingerprint;
  readonly files: ReadonlyMap<string, Digest>;
}

/** Of two records with the same keys, as those of one skill have. */
function isSame(a: Readonly<Record<string, Digest>>, b: Readonly<Record<string, Digest>>): boolean {
  for (const key in a) if (a[key] !== b[key]) return false;
  return true;
}

function knownAfter({ decision, hit, isRefused }: StepDecision): Known {
  if (decision === 'blocked') return 'blocked';
  if (isRefused) return 'refused';
  if ((decision !== 'skip' && decision !== 'rejudge') || !hit) return 'pending';
  return { resultDigest: hit.resultDigest, outputs: hit.outputDigests };
}

/** What a result waits for that not all of its judges have judged, and whether a no stands whatever the others say. */
function openTo(
  open: readonly Judge[],
  verdicts: readonly Verdict[],
  rule: JudgmentRule,
): Pick<StepDecision, 'reasons' | 'isRefused'> {
  // Confidence and agreement may still rise to what is wanted.
  const said = overall(verdicts, { ...rule, minConfidence: 0, personaAgreement: 0 });
  const reasons = open.map(({ name }) => validatorReason(name));
  if (said.outcome !== 'failed') return { reasons };
  return { reasons: [...reasons, notPassedReason(verdicts, said.why)], isRefused: true };
}

function forcedBy({ graph }: Resolution, force: PlanRequest['force']): (index: number) => boolean {
  if (!Array.isArray(force)) return () => force === true;
  const forced = new Set(findSkills(graph, force));
  return (index) => forced.has(index);
}
