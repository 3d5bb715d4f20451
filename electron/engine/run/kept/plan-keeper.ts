import { lstatSync } from 'node:fs';
import { join } from 'node:path';
import type { Digest } from '#shared/model/fingerprint.ts';
import type { PlanRequest } from '#shared/model/plan.ts';
import type { StepRecord } from '#shared/model/run.ts';
import type { ScriptLanguage } from '#shared/model/skill.ts';
import type { ActionCache } from '../../cache/action-cache.ts';
import { fileListOf } from '../../fingerprint/file-list.ts';
import { holdsTime } from '../../fingerprint/fingerprint.ts';
import type { AskHow } from '../../models/asked-model.ts';
import { isJudged } from '../../plan/judges.ts';
import { hasInstructions } from '../../prompt/offered-skills.ts';
import { isRecent, joined, stampOf } from '../../resolve/footprint.ts';
import type { Resolution } from '../../resolve/resolve.ts';
import { footprintOf } from '../../resolve/workspace-resolver.ts';
import type { SignedFiles } from '../../store/signed-files.ts';
import type { KeptPlan, KeptStep } from './kept-plan.ts';
import { openPlanStore } from './plan-store.ts';
import { standingSteps, type StandingSteps } from './standing-steps.ts';
import { placeName, type PlanPlace, type Premises } from './premises.ts';

/** What a plan rests on, looked at before the plan was made. */
export type Looked = Pick<Premises, 'footprint' | 'interpreters'> & { readonly resolution: Resolution };

/** A skill that would be skipped by the next plan. */
export type SkippedStep = Pick<StepRecord, 'skill' | 'id' | 'wave' | 'cacheKey' | 'resultDigest'>;

export interface PlanKeeperOptions extends Omit<PlanPlace, 'path'> {
  readonly interpreterPath: (language: ScriptLanguage) => string | undefined;
  readonly build?: string | undefined;
}

/** Keeps plans of one workspace in which everything is skipped, for the next process that is asked for the same. */
export class PlanKeeper {
  readonly #options: PlanKeeperOptions;
  readonly #store: SignedFiles | undefined;

  constructor(options: PlanKeeperOptions) {
    this.#options = options;
    this.#store = openPlanStore(options.home, options.build);
  }

  /**
   * Looks at what a plan is about to rest on; undefined for plans that are not kept: with inputs or choices, with models or
   * judges, or with anything whose later change could go unnoticed.
   */
  look(resolution: Resolution, request: PlanRequest, how: AskHow): Looked | undefined {
    const footprint = footprintOf(resolution);
    if (!this.#store || !footprint || !isPlain(request) || how.replay !== undefined) return undefined;
    const asked = Object.keys(footprint.answers).map((question) => JSON.parse(question) as [string]);
    if (asked.some(([kind]) => kind !== 'environment')) return undefined;
    const isUnsteady = resolution.skills.some(
      (node) =>
        node.skill.cache === false || hasInstructions(node) || isJudged(resolution, node) || holdsTime(node),
    );
    const grants = join(this.#options.home, 'grants.json');
    if (isUnsteady || wasJustChanged(grants)) return undefined;
    const { looked, real, answers } = footprint;
    return {
      resolution,
      footprint: { looked: joined(looked, { [grants]: stampOf(grants) }), real, answers },
      interpreters: this.#interpreters(resolution),
    };
  }

  /** The steps of the plan that was kept last about which a new one would say the same. */
  standing(looked: Looked, files: ReadonlyMap<string, Digest>, cache: ActionCache): StandingSteps {
    const kept = this.#store?.read(this.#nameOf(looked.resolution))?.toString();
    if (kept === undefined) return new Map();
    const end = kept.indexOf('\n');
    const premises = JSON.parse(kept.slice(0, end)) as Premises;
    const plan = JSON.parse(kept.slice(end + 1)) as KeptPlan;
    return standingSteps(premises, plan, { ...looked, files, cache });
  }

  /** Keeps a plan of these steps, all of whose results must have been found, or stored, with these files of the workspace. */
  keep(
    { resolution, ...looked }: Looked,
    files: ReadonlyMap<string, Digest>,
    steps: readonly SkippedStep[],
    cache: ActionCache,
  ): void {
    const { source, lens, contentHash, skills, graph, diagnostics } = resolution;
    const keys = steps.flatMap(({ cacheKey }) => cacheKey ?? []);
    const standing = keys.length === steps.length ? cache.standing(keys) : undefined;
    if (!standing || steps.some(({ resultDigest }) => resultDigest === undefined)) return;
    const kept = steps.map(({ skill, id, wave, resultDigest }, i): KeptStep => {
      const produces = skills[graph.indexOf.get(id)!]!.skill.produces ?? [];
      const { runId, at, durationMs } = standing.results[i]!.origin;
      const names = produces.map(({ key }) => key);
      return [skill, id, wave, names, keys[i]!, resultDigest!, runId, at, durationMs];
    });
    const lensName = lens?.metadata.name ?? source.file;
    const plan: KeptPlan = { lens: source.file, lensName, contentHash, steps: kept };
    const count = (wanted: string): number =>
      diagnostics.filter(({ severity }) => severity === wanted).length;
    const premises: Premises = {
      ...looked,
      files: skills.every(({ skill }) => skill.files?.length === 0) ? null : fileListOf(files).digest,
      index: standing.position,
      blobs: standing.results.map(({ blob, stamp }) => [blob, stamp]),
      problems: { errors: count('error'), warnings: count('warning') },
    };
    this.#store?.write(this.#nameOf(resolution), `${JSON.stringify(premises)}\n${JSON.stringify(plan)}`);
  }

  #nameOf({ source }: Resolution): string {
    return placeName({ ...this.#options, path: source.path });
  }

  #interpreters({ skills }: Resolution): Premises['interpreters'] {
    const languages = new Set(skills.flatMap(({ scripts }) => scripts.map(({ language }) => language)));
    return Object.fromEntries(
      [...languages].flatMap((language) => {
        const path = this.#options.interpreterPath(language);
        return path === undefined ? [] : [[language, [path, stampOf(path)] as const]];
      }),
    );
  }
}

/** The whole graph, with nothing that a plan could depend on beside the workspace. */
function isPlain(request: PlanRequest): boolean {
  return Object.values(request).every(
    (value) => value === undefined || (typeof value === 'object' && Object.keys(value).length === 0),
  );
}

function wasJustChanged(path: string): boolean {
  const stats = lstatSync(path, { throwIfNoEntry: false });
  return stats !== undefined && isRecent(stats, Date.now());
}
