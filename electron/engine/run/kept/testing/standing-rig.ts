import { join } from 'node:path';
import type { Plan } from '#shared/model/plan.ts';
import { ActionCache } from '../../../cache/action-cache.ts';
import { outputDigestsOf, resultDigest, type CachedResult } from '../../../cache/cached-result.ts';
import { fileListOf } from '../../../fingerprint/file-list.ts';
import type { Known } from '../../../plan/planner.ts';
import type { ResolvedSkill } from '../../../resolve/nodes.ts';
import type { Resolution } from '../../../resolve/resolve.ts';
import { WorkspaceResolver } from '../../../resolve/workspace-resolver.ts';
import type { Sandbox } from '../../../sandbox/sandbox.ts';
import { GrantStore } from '../../../trust/grant-store.ts';
import { Plans, type Prepared } from '../../plans.ts';
import { resources } from '../../testing/runs-rig.ts';
import { workspaceKey } from '../../workspace-key.ts';
import { PlanKeeper, type SkippedStep } from '../plan-keeper.ts';

export interface StandingRigOptions {
  readonly root: string;
  readonly home: string;
  readonly sandbox: Sandbox;
}

/** What a pretended run makes of a skill; undefined is a failure. */
export type Produce = (
  node: ResolvedSkill,
  inputs: Readonly<Record<string, unknown>>,
) => Readonly<Record<string, unknown>> | undefined;

/** One start of the program over real files, with all that earlier starts kept; runs are pretended by the planner's decisions. */
export class StandingRig implements Disposable {
  readonly cache: ActionCache;
  readonly #options: StandingRigOptions;
  readonly #keeper: PlanKeeper;
  readonly #plans: Plans;
  readonly #now = new Date();

  constructor(options: StandingRigOptions) {
    const { root, home, sandbox } = options;
    this.#options = options;
    this.cache = ActionCache.open(home);
    this.#keeper = new PlanKeeper({
      ...{ root, home, library: join(resources, 'library'), build: 'test' },
      interpreterPath: (language) => sandbox.interpreterPath(language),
    });
    const grants = new GrantStore(home);
    this.#plans = new Plans({ root, sandbox, cache: this.cache, grants, keeper: this.#keeper });
  }

  resolve(): Promise<Resolution> {
    const { root, home } = this.#options;
    const resolver = new WorkspaceResolver({
      ...{ root, home, library: join(resources, 'library'), build: 'test' },
      founts: () => Promise.reject(new Error('There are no founts here')),
      files: () => Promise.resolve([]),
    });
    return resolver.resolve('a.lens');
  }

  /** How a plan is made that passes over what stands. */
  async standing(): Promise<Prepared> {
    return this.#plans.prepareStanding(await this.resolve(), {}, this.#now);
  }

  /** The plan that is made of nothing but the files and the cache. */
  async fromScratch(): Promise<Plan> {
    return (await this.#plans.prepare(await this.resolve(), {}, this.#now)).planner.plan();
  }

  /** Goes through the skills as a run does, and keeps the plan that it leaves where there is one. */
  run(prepared: Prepared, resolution: Resolution, produce: Produce): void {
    const { planner, looked, files } = prepared;
    const known = new Map<number, Known>();
    const outputs = new Map<number, Readonly<Record<string, unknown>>>();
    const done: SkippedStep[] = [];
    for (const [i, { skill, id, wave }] of planner.plan().decisions.entries()) {
      const index = planner.selected[i]!;
      const step = planner.decide(index, known);
      const { decision, key, fingerprint, hit } = step;
      if (decision === 'blocked') known.set(index, 'blocked');
      if (hit) {
        known.set(index, { resultDigest: hit.resultDigest, outputs: hit.outputDigests });
        outputs.set(index, hit.result.outputs);
      }
      let digest = prepared.standing.get(index)?.resultDigest ?? hit?.resultDigest;
      if (decision === 'run' && key !== undefined && fingerprint) {
        const node = resolution.skills[index]!;
        const made = produce(
          node,
          planner.inputs.inputsOf(index, (producer) => outputs.get(producer)!),
        );
        const place = { workspace: workspaceKey(this.#options.root), skillId: node.id, runId: 'run' };
        if (!made) {
          this.cache.noteFailure({ ...place, key });
          known.set(index, 'blocked');
          continue;
        }
        const result: CachedResult = {
          ...{ content: '', outputs: made, changes: [], logs: [], limitsHit: [], durationMs: 1000 },
        };
        const texts = [...node.scripts.map(({ content }) => content), fileListOf(step.files!).text];
        this.cache.put({ ...place, key, fingerprint, result, artifacts: new Map(), texts });
        digest = resultDigest(result);
        known.set(index, { resultDigest: digest, outputs: outputDigestsOf(made) });
        outputs.set(index, made);
      }
      if (digest !== undefined)
        done.push({ skill, id, wave, ...(key !== undefined && { cacheKey: key }), resultDigest: digest });
    }
    this.cache.flush();
    if (looked && done.length === planner.selected.length) {
      this.#keeper.keep(looked, files, done, this.cache);
    }
  }

  [Symbol.dispose](): void {
    this.cache[Symbol.dispose]();
  }
}
