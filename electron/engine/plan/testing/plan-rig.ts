import { overall } from '#shared/judgment/overall.ts';
import type { Plan, PlanRequest } from '#shared/model/plan.ts';
import type { Verdict } from '#shared/model/verdict.ts';
import { ActionCache, type CacheOptions } from '../../cache/action-cache.ts';
import { outputDigestsOf, resultDigest, type CachedResult } from '../../cache/cached-result.ts';
import { fileListOf } from '../../fingerprint/file-list.ts';
import type { ResolvedSkill } from '../../resolve/nodes.ts';
import type { Resolution } from '../../resolve/resolve.ts';
import { ResolveRig } from '../../resolve/testing/resolve-rig.ts';
import { digestOf } from '../../store/digest.ts';
import { judgeKey, judgmentOf, verdictUnasked } from '../judges.ts';
import { Planner } from '../planner.ts';
import type { PlannerOptions } from '../planner-options.ts';
import type { Known } from '../step-decision.ts';

/** What a pretended run makes of a skill; undefined is a failure. */
export type Produce = (
  node: ResolvedSkill,
  inputs: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>> | undefined;

/** Plans for real files with a real cache; runs are pretended, step by step, by the planner's own decisions. */
export class PlanRig implements AsyncDisposable {
  readonly #resolving = new ResolveRig();
  readonly #options: CacheOptions;
  #root = '';
  #home = '';
  #cache: ActionCache | undefined;
  #runs = 0;
  #now = Date.UTC(2026, 2, 4);
  #lens = '';
  #files: Record<string, string> = {};

  constructor(options: CacheOptions = {}) {
    this.#options = options;
  }

  get cache(): ActionCache {
    return this.#cache!;
  }

  /** Writes the lens and the other files, and reads them again. */
  async write(lens: string, files: Record<string, string> = {}): Promise<Resolution> {
    if (this.#root === '') {
      this.#root = await this.#resolving.world.makeFolder();
      this.#home = await this.#resolving.world.makeFolder();
      this.#cache = ActionCache.open(this.#home, { now: () => this.#now, ...this.#options });
    }
    this.#lens = lens;
    this.#files = files;
    for (const [file, text] of Object.entries({ ...files, 'a.lens': lens })) {
      await this.#resolving.world.writeFile(this.#root, file, text);
    }
    return this.#resolving.resolveIn(this.#root, 'a.lens');
  }

  async planner(request: PlanRequest = {}, more: Partial<PlannerOptions> = {}): Promise<Planner> {
    const resolution = await this.write(this.#lens, this.#files);
    const texts = new Map(Object.entries(this.#files));
    return new Planner({
      resolution,
      cache: this.cache,
      workspace: 'work',
      files: new Map([...texts].map(([path, text]) => [path, digestOf(text)])),
      limits: { memoryBytes: 1 },
      interpreters: new Map([
        ['bash', '5.2.0'],
        ['python', '3.12.1'],
      ]),
      trustOf: () => 'sandboxed',
      request,
      now: new Date(this.#now),
      fileText: (path) => texts.get(path),
      ...more,
    });
  }

  async plan(request: PlanRequest = {}, more: Partial<PlannerOptions> = {}): Promise<Plan> {
    return (await this.planner(request, more)).plan();
  }

  pass(ms: number): void {
    this.#now += ms;
  }

  /** Goes through the selected skills as a run does, and says what was done with each. */
  async run(
    produce: Produce = outputsFor,
    request: PlanRequest = {},
    more: Partial<PlannerOptions> = {},
  ): Promise<Record<string, string>> {
    const planner = await this.planner(request, more);
    const resolution = await this.write(this.#lens, this.#files);
    const known = new Map<number, Known>();
    const outputs = new Map<number, Readonly<Record<string, unknown>>>();
    const done: Record<string, string> = {};
    const runId = `run-${++this.#runs}`;
    for (const index of planner.selected) {
      const node = resolution.skills[index]!;
      const step = planner.decide(index, known);
      done[node.name] = step.decision;
      const { hit } = step;
      if (hit) {
        known.set(index, { resultDigest: hit.resultDigest, outputs: hit.outputDigests });
        outputs.set(index, hit.result.outputs);
        if (step.decision === 'rejudge') this.#judge(resolution, node, hit.resultDigest, runId);
      }
      if (step.decision === 'blocked') known.set(index, 'blocked');
      if (step.decision !== 'run') continue;
      const made = produce(
        node,
        planner.inputs.inputsOf(index, (producer) => outputs.get(producer)!),
      );
      const place = { workspace: 'work', skillId: node.id, runId };
      if (!made) {
        if (step.key !== undefined) this.cache.noteFailure({ ...place, key: step.key });
        known.set(index, 'blocked');
        done[node.name] = 'failed';
        continue;
      }
      const result: CachedResult = {
        content: '',
        outputs: made,
        changes: [],
        logs: [],
        limitsHit: [],
        durationMs: 1000,
      };
      const digest = resultDigest(result);
      known.set(index, { resultDigest: digest, outputs: outputDigestsOf(made) });
      outputs.set(index, made);
      const { key, fingerprint, files } = step;
      if (key === undefined || !fingerprint || request.noCache) continue;
      const texts = [
        ...node.scripts.map(({ content }) => content),
        ...(files ? [fileListOf(files).text] : []),
        ...(files ? [...files.keys()].map((path) => this.#files[path]!) : []),
      ];
      this.cache.put({ ...place, key, fingerprint, result, artifacts: new Map(), texts });
      this.#judge(resolution, node, digest, runId);
    }
    this.cache.flush();
    return done;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#cache?.[Symbol.dispose]();
    await this.#resolving[Symbol.asyncDispose]();
  }

  /** Every judge says yes, unless its name says that it never does. */
  #judge(resolution: Resolution, node: ResolvedSkill, digest: string, runId: string): boolean {
    const judgment = judgmentOf(resolution, node);
    const verdicts = judgment.judges.map((judge): Verdict => {
      const unasked = verdictUnasked(judge, false);
      if (unasked) return unasked;
      const outcome = judge.name.startsWith('never') ? 'fail' : 'pass';
      const verdict: Verdict = {
        judge: judge.name,
        kind: 'deterministic',
        severity: judge.severity,
        outcome,
        message: '',
      };
      const key = judgeKey(digest, judge);
      this.cache.putJudgment({ key, verdicts: [verdict], workspace: 'work', skillId: node.id, runId });
      return verdict;
    });
    return overall(verdicts, judgment.rule).outcome !== 'failed';
  }
}

/** Each produced key with the name of its skill. */
function outputsFor({ name, skill }: ResolvedSkill): Record<string, unknown> {
  return Object.fromEntries((skill.produces ?? []).map(({ key }) => [key, `${key} of ${name}`]));
}

/** `name decision: sentence; sentence` for each step. */
export function lines({ decisions }: Plan): string[] {
  return decisions.map(
    ({ skill, decision, reasons }) =>
      `${skill} ${decision}: ${reasons.map(({ sentence }) => sentence).join('; ')}`,
  );
}
