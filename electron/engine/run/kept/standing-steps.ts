import { downstream } from '#shared/graph/closure.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import type { ActionCache } from '../../cache/action-cache.ts';
import { fileListOf } from '../../fingerprint/file-list.ts';
import { flowOf } from '../../plan/flow.ts';
import type { StandingStep } from '../../plan/planner.ts';
import { otherTexts } from '../../resolve/footprint.ts';
import type { ResolvedSkill } from '../../resolve/nodes.ts';
import type { Resolution } from '../../resolve/resolve.ts';
import { footprintOf } from '../../resolve/workspace-resolver.ts';
import type { KeptPlan } from './kept-plan.ts';
import type { Premises } from './premises.ts';

/** What a plan rests on now. */
export interface RestsOn extends Pick<Premises, 'footprint' | 'interpreters'> {
  readonly resolution: Resolution;
  readonly files: ReadonlyMap<string, Digest>;
  readonly cache: Pick<ActionCache, 'stillKept' | 'find'>;
}

export type StandingSteps = ReadonlyMap<number, StandingStep>;

/**
 * The steps of a kept plan that a new one would decide about alike, by index: where nothing but texts of scripts and
 * resources changed, all but the skills with those texts, those whose results are not as they were, and what depends on
 * either. None where anything else changed.
 */
export function standingSteps(premises: Premises, plan: KeptPlan, now: RestsOn): StandingSteps {
  const texts = changedTexts(premises, now);
  const { skills, graph } = now.resolution;
  const kept = new Map<number, StandingStep>();
  if (!texts || plan.steps.length !== graph.size) return kept;
  const others: number[] = [];
  for (const [i, [, id, , , key, resultDigest]] of plan.steps.entries()) {
    const index = graph.indexOf.get(id);
    if (index === undefined) return new Map();
    const [blob, stamp] = premises.blobs[i]!;
    const origin = isOther(skills[index]!, texts) ? undefined : now.cache.stillKept(key, blob, stamp);
    if (origin) kept.set(index, { key, resultDigest, origin });
    else others.push(index);
  }
  return withNeeded(kept, others, now);
}

/** Names of the texts that may be others; undefined where a change of anything else can be seen. */
function changedTexts(premises: Premises, now: RestsOn): ReadonlySet<string> | undefined {
  const { files, interpreters, footprint } = premises;
  if (JSON.stringify(interpreters) !== JSON.stringify(now.interpreters)) return undefined;
  if (files !== null && files !== fileListOf(now.files).digest) return undefined;
  const held = footprintOf(now.resolution)?.held;
  return held && otherTexts(footprint, now.footprint, held);
}

function isOther({ scripts, resources }: ResolvedSkill, texts: ReadonlySet<string>): boolean {
  return [...scripts, ...resources].some(({ file }) => file !== undefined && texts.has(file));
}

/** Without what is downstream of others, and with the results that those need; a result that cannot be read stands no more. */
function withNeeded(
  kept: Map<number, StandingStep>,
  others: readonly number[],
  { resolution, cache }: RestsOn,
): StandingSteps {
  const { graph } = resolution;
  const { producers } = flowOf(graph);
  const { dependencyStart, dependencies } = graph;
  for (let open = others; open.length > 0;) {
    const unread: number[] = [];
    const affected = downstream(graph, open);
    for (const index of affected) kept.delete(index);
    for (const index of affected) {
      const direct = dependencies.subarray(dependencyStart[index], dependencyStart[index + 1]);
      for (const needed of new Set([...direct, ...producers[index]!.values()])) {
        const step = kept.get(needed);
        if (!step || step.hit) continue;
        const hit = cache.find(step.key);
        if (hit) kept.set(needed, { ...step, hit });
        else unread.push(needed);
      }
    }
    open = unread;
  }
  return kept;
}

/** The keys that a skill produces. */
export function keysOf({ skill }: ResolvedSkill): string[] {
  return (skill.produces ?? []).map(({ key }) => key);
}
