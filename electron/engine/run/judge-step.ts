import type { Digest } from '#shared/model/fingerprint.ts';
import type { CachedResult } from '../cache/cached-result.ts';
import type { Judged, VerdictMemory } from '../judge/judge.ts';
import type { StepParts, StepTurn } from './step-parts.ts';

/** Has the result of a step judged as its lens wants, and tells the run; verdicts that are kept are not asked for again. */
export async function judgeStep(
  parts: StepParts,
  turn: StepTurn,
  result: CachedResult,
  digest: Digest,
): Promise<Judged> {
  const { resolution, sandbox, request, cache, workspace, runId } = parts;
  if (request.noJudge) return { verdicts: [], passed: true };
  const node = resolution.skills[turn.index]!;
  let isCached = true;
  const memory: VerdictMemory = {
    find: (key) => (request.noCache ? undefined : cache.findJudgment(key)?.[0]),
    keep: (key, verdict) => {
      isCached = false;
      if (request.noCache) return;
      cache.putJudgment({ key, verdicts: [verdict], workspace, skillId: node.id, runId });
    },
  };
  const { judge } = await import('../judge/judge.ts');
  const judged = await judge({
    lens: resolution.lens,
    node,
    result,
    resultDigest: digest,
    sandbox,
    memory,
    signal: turn.signal(),
  });
  tellJudged(parts, turn, judged, isCached);
  return judged;
}

export function tellJudged(
  { stream }: StepParts,
  { step }: StepTurn,
  { verdicts, passed }: Judged,
  isCached: boolean,
): void {
  if (verdicts.length === 0) return;
  stream.emit({
    type: 'skill_judged',
    skill_name: step.skill,
    verdicts: [...verdicts],
    passed,
    cached: isCached,
  });
}
