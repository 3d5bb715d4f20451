import { overall } from '#shared/judgment/overall.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import type { ModelCost } from '#shared/model/models.ts';
import type { CachedResult } from '../cache/cached-result.ts';
import type { Judged, VerdictMemory } from '../judge/judge.ts';
import type { JudgedFile } from '../judge/judged-work.ts';
import { isJudged, keptVerdict } from '../plan/judges.ts';
import type { StepDecision } from '../plan/planner.ts';
import type { StepParts, StepTurn } from './step-parts.ts';

/** A result with its name, and the bytes it proposes; those that are missing are in the cache. */
export interface ResultToJudge {
  readonly result: CachedResult;
  readonly digest: Digest;
  readonly contents?: ReadonlyMap<string, Uint8Array>;
}

/** Has the result of a step judged as its lens wants, and tells the run; verdicts that are kept are not asked for again. */
export async function judgeStep(
  parts: StepParts,
  turn: StepTurn,
  { result, digest, contents }: ResultToJudge,
  onCost: (cost: ModelCost) => void,
): Promise<Judged> {
  const { resolution, sandbox, request, cache, workspace, runId, judgeModel, stream } = parts;
  const node = resolution.skills[turn.index]!;
  if (request.noJudge || !isJudged(resolution, node)) return unjudged;
  let isCached = true;
  const memory: VerdictMemory = {
    find: (key) => (request.noCache ? undefined : keptVerdict(cache.findJudgment(key))),
    keep: (key, verdict) => {
      isCached = false;
      if (request.noCache) return;
      cache.putJudgment({ key, verdicts: [verdict], workspace, skillId: node.id, runId });
    },
  };
  const { judge } = await import('../judge/judge.ts');
  const judged = await judge({
    lens: resolution.lens,
    judgedBy: resolution.judgedBy,
    node,
    result,
    filesOf: () => textsOf(result, (hash) => contents?.get(hash) ?? cache.artifact(hash)),
    resultDigest: digest,
    sandbox,
    memory,
    model: judgeModel && {
      ...judgeModel,
      complete: (asked) => judgeModel.complete({ about: turn.step.skill, ...asked }),
    },
    onAsked: (cost, error) => {
      onCost(cost);
      stream.emit({
        type: 'skill_model',
        skill_name: turn.step.skill,
        purpose: 'judge',
        cost,
        ...(error !== undefined && { error }),
      });
    },
    signal: turn.signal(),
  });
  tellJudged(parts, turn, judged, isCached);
  return judged;
}

/** What the kept verdicts of a decision come to. */
export function judgedBefore({ verdicts = [], rule }: StepDecision): Judged {
  return rule ? { verdicts, rule, overall: overall(verdicts, rule) } : unjudged;
}

export function tellJudged(
  { stream }: StepParts,
  { step }: StepTurn,
  { verdicts, rule, overall: { outcome } }: Judged,
  isCached: boolean,
): void {
  if (verdicts.length === 0) return;
  stream.emit({
    type: 'skill_judged',
    skill_name: step.skill,
    verdicts: [...verdicts],
    passed: outcome === 'passed',
    cached: isCached,
    ...(rule && { rule }),
  });
}

/** Nobody is asked, so that nobody says no. */
const unjudged: Judged = {
  verdicts: [],
  overall: { outcome: 'passed', confidence: undefined, agreement: undefined, why: [] },
};

/** What a result proposes to write, as far as it is text. */
function textsOf(
  { changes }: CachedResult,
  bytesOf: (hash: Digest) => Uint8Array | undefined,
): readonly JudgedFile[] {
  return changes.flatMap(({ path, contentHash }) => {
    const bytes = contentHash === undefined ? undefined : bytesOf(contentHash);
    const text = bytes && textOf(bytes);
    return text === undefined ? [] : [{ path, text }];
  });
}

function textOf(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return undefined; // A picture or an archive: nothing that could be read and quoted.
  }
}
