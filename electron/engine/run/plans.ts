import { closeSync, constants, fstatSync, openSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Plan, PlanRequest, Reason, ReasonDifference } from '#shared/model/plan.ts';
import type { ScriptLanguage } from '#shared/model/skill.ts';
import type { ActionCache } from '../cache/action-cache.ts';
import type { AskHow, ModelIdentity } from '../models/asked-model.ts';
import type { AskableModels } from '../models/late-models.ts';
import { isJudgedByModel } from '../plan/judges.ts';
import { Planner } from '../plan/planner.ts';
import type { LastStep } from '../plan/planner-options.ts';
import { hasInstructions } from '../prompt/offered-skills.ts';
import type { Resolution } from '../resolve/resolve.ts';
import { defaultLimits } from '../sandbox/limits.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { GrantStore } from '../trust/grant-store.ts';
import type { Looked, PlanKeeper } from './kept/plan-keeper.ts';
import type { StandingSteps } from './kept/standing-steps.ts';
import { isSameFiles } from './same-files.ts';
import { trustOfAll } from './skill-trust.ts';
import { workspaceKey } from './workspace-key.ts';

export interface PlansOptions {
  readonly root: string;
  readonly sandbox: Sandbox;
  readonly cache: ActionCache;
  readonly grants: GrantStore;
  /** Without it no model works and none judges. */
  readonly models?: AskableModels | undefined;
  /** Keeps plans for later processes; without it none is. */
  readonly keeper?: PlanKeeper | undefined;
  /** How skills ended in the last runs of a lens, by id; asked where a selection means what failed. */
  readonly lastSteps?: (lens: string, skills: readonly string[]) => Promise<ReadonlyMap<string, LastStep>>;
}

/** The models that a request means; undefined where none is configured or nothing needs one. */
export interface MeantModels {
  readonly model: ModelIdentity | undefined;
  readonly judgeModel: ModelIdentity | undefined;
}

/** A planner, the files it saw, and how to make another one for other files. */
export interface Prepared extends MeantModels {
  readonly planner: Planner;
  readonly files: ReadonlyMap<string, string>;
  readonly makePlanner: (files: ReadonlyMap<string, string>) => Planner;
  /** Steps that need no second look, by index. */
  readonly standing: StandingSteps;
  /** What the plan rests on, where it may be kept. */
  readonly looked: Looked | undefined;
}

const nothing: StandingSteps = new Map();

interface Asked {
  readonly resolution: Resolution;
  readonly request: PlanRequest;
  readonly now: Date;
  readonly how?: AskHow | undefined;
}

/** Plans of one workspace; needs nothing of what runs them. */
export class Plans {
  readonly #options: PlansOptions;
  #files: ReadonlyMap<string, string> = new Map();

  constructor(options: PlansOptions) {
    this.#options = options;
  }

  /** What a run would do now, and why; runs nothing. */
  async plan(resolution: Resolution, request: PlanRequest, how?: AskHow): Promise<Plan> {
    const { planner, files, looked } = await this.prepareStanding(resolution, request, new Date(), how);
    const plan = planner.plan();
    if (looked) this.#keep(looked, files, plan);
    return plan;
  }

  /** Both sides of one reason of a plan as text. */
  async difference(
    resolution: Resolution,
    {
      skill,
      reason,
      request,
      how,
    }: { skill: string; reason: Reason; request: PlanRequest; how?: AskHow | undefined },
  ): Promise<ReasonDifference> {
    return (await this.prepare(resolution, request, new Date(), how)).planner.difference(skill, reason);
  }

  /** Looks at everything that a plan depends on, and at every result. */
  prepare(resolution: Resolution, request: PlanRequest, now: Date, how?: AskHow): Promise<Prepared> {
    return this.#prepare({ resolution, request, now, how }, () => nothing);
  }

  /** The same, but passes over what stands since the plan that was kept last. */
  prepareStanding(resolution: Resolution, request: PlanRequest, now: Date, how?: AskHow): Promise<Prepared> {
    const { keeper, cache } = this.#options;
    return this.#prepare(
      { resolution, request, now, how },
      (looked, files) => keeper?.standing(looked, files, cache) ?? nothing,
    );
  }

  async #prepare(
    { resolution, request, now, how = {} }: Asked,
    find: (looked: Looked, files: ReadonlyMap<string, string>) => StandingSteps,
  ): Promise<Prepared> {
    const { root, cache, grants } = this.#options;
    // What another process cleared would be skipped for as long as this one is open.
    cache.refresh();
    const looked = this.#options.keeper?.look(resolution, request, how);
    const [files, interpreters, trustOf, meant, lastSteps] = await Promise.all([
      this.#hash(),
      this.#interpreters(resolution),
      trustOfAll(grants, resolution.skills),
      this.#models(resolution, request, how),
      this.#lastSteps(resolution, request),
    ]);
    const makePlanner = (seen: ReadonlyMap<string, string>, standing?: StandingSteps): Planner =>
      new Planner({
        resolution,
        cache,
        workspace: workspaceKey(root),
        files: seen,
        limits: { ...defaultLimits },
        interpreters,
        trustOf,
        request,
        lastSteps,
        standing,
        ...meant,
        now,
        fileText: (path) => (seen.has(path) ? readText(join(root, path)) : undefined),
      });
    const standing = looked ? find(looked, files) : nothing;
    // Nothing is known to stand with other files.
    const others = { makePlanner: (seen: ReadonlyMap<string, string>) => makePlanner(seen) };
    return { planner: makePlanner(files, standing), files, standing, looked, ...others, ...meant };
  }

  /** Keeps a plan that only skips, and whose results propose nothing. */
  #keep(looked: Looked, files: ReadonlyMap<string, string>, { decisions }: Plan): void {
    const { cache, keeper } = this.#options;
    if (decisions.some(({ decision }) => decision !== 'skip')) return;
    const hits = decisions.map(({ cacheKey = '' }) => cache.find(cacheKey));
    if (hits.some((hit) => !hit || hit.result.changes.length > 0)) return;
    const steps = decisions.map((step, i) => ({ ...step, resultDigest: hits[i]?.resultDigest }));
    keeper?.keep(looked, files, steps, cache);
  }

  async #lastSteps(
    { source, skills }: Resolution,
    { selection }: PlanRequest,
  ): Promise<ReadonlyMap<string, LastStep> | undefined> {
    if (!selection?.failed) return undefined;
    return this.#options.lastSteps?.(
      source.file,
      skills.map(({ id }) => id),
    );
  }

  /** A name that somebody gives is looked up in any case: it may be misspelt. */
  async #models(resolution: Resolution, request: PlanRequest, how: AskHow): Promise<MeantModels> {
    const { models } = this.#options;
    const { model: worker, judgeModel: judge } = request;
    const { skills } = resolution;
    const isReplayed = how.replay !== undefined;
    const isWorked = isReplayed || worker !== undefined || skills.some(hasInstructions);
    const isJudged =
      isReplayed || judge !== undefined || skills.some((node) => isJudgedByModel(resolution, node));
    return {
      model: isWorked ? await models?.identify(worker, how) : undefined,
      judgeModel: isJudged ? await models?.identifyJudge({ judge, worker }, how) : undefined,
    };
  }

  /** The same map for as long as nothing changes, so that what was worked out from it is not worked out again. */
  async #hash(): Promise<ReadonlyMap<string, string>> {
    const { files } = await this.#options.sandbox.hashWorkspace(this.#options.root);
    if (!isSameFiles(this.#files, files)) this.#files = files;
    return this.#files;
  }

  async #interpreters({ skills }: Resolution): Promise<ReadonlyMap<ScriptLanguage, string>> {
    const { sandbox } = this.#options;
    const languages = new Set(skills.flatMap(({ scripts }) => scripts.map(({ language }) => language)));
    const versions = new Map<ScriptLanguage, string>();
    for (const language of languages) {
      const version = await sandbox.interpreterVersion(language);
      if (version !== undefined) versions.set(language, version);
    }
    return versions;
  }
}

const largestShown = 1024 * 1024;

function readText(path: string): string | undefined {
  try {
    const fd = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK);
    try {
      if (fstatSync(fd).size > largestShown) return undefined;
      return new TextDecoder('utf-8', { fatal: true }).decode(readFileSync(fd));
    } finally {
      closeSync(fd);
    }
  } catch {
    return undefined; // Gone, a link, or no text: its other side is shown alone.
  }
}
