import { resultDigest, type CachedResult } from '../cache/cached-result.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import type { ModelCost } from '#shared/model/models.ts';
import { lensPart } from '../prompt/lens-part.ts';
import { hasInstructions } from '../prompt/offered-skills.ts';
import type { StepDecision } from '../plan/planner.ts';
import { keptTexts } from './kept-texts.ts';
import { inputsOf, type StepParts, type StepTurn } from './step-parts.ts';
import type { ProposedChange, StepResult } from './step-result.ts';

/** A result as it is kept, judged and handed on. */
export interface Worked {
  readonly result: CachedResult;
  readonly digest: Digest;
  /** Bytes of what it proposes, by hash. */
  readonly contents: ReadonlyMap<string, Uint8Array>;
  /** The same with its bytes, for an attempt that goes on from here. */
  readonly changes: readonly ProposedChange[];
  readonly cost?: ModelCost | undefined;
}

/** A result as the cache keeps it: proposed bytes stand beside it, by hash. */
export function workedOf(ran: Extract<StepResult, { state: 'ran' }>): Worked {
  const { content, outputs, changes, logs, limitsHit, durationMs, model: cost } = ran;
  const result = { content, outputs, changes: changes.map(keptChange), logs, limitsHit, durationMs };
  const written = changes.flatMap((change) => (change.operation === 'write' ? [change] : []));
  const contents = new Map(written.map(({ sha256, content: bytes }) => [sha256, bytes] as const));
  return { result, digest: resultDigest(result), contents, changes, cost };
}

/** Puts a success into the cache; what was cut off is not one that may stand for the whole. */
export function keepStep(
  parts: StepParts,
  turn: StepTurn,
  { key, fingerprint, files, reasons }: StepDecision,
  { result, contents }: Worked,
): void {
  const { cache, request, workspace, runId, resolution, files: seen } = parts;
  const node = resolution.skills[turn.index]!;
  const isOff = request.noCache === true || node.skill.cache === false;
  if (isOff || key === undefined || !fingerprint || result.logs.some(({ truncated }) => truncated)) return;
  cache.put({
    key,
    fingerprint,
    workspace,
    skillId: node.id,
    runId,
    result,
    artifacts: contents,
    texts: [
      ...keptTexts({
        node,
        files,
        values: [...Object.values(inputsOf(parts, turn))],
        told: [request.task, hasInstructions(node) ? lensPart(resolution, node) : undefined],
      }),
      ...(files ? seen.textsFor(files, reasons) : []),
    ],
  });
}

function keptChange(change: ProposedChange): CachedResult['changes'][number] {
  if (change.operation === 'delete') return change;
  const { path, sha256, mode, content } = change;
  return { operation: 'write', path, contentHash: sha256, bytes: content.length, mode };
}
