import { unreachable } from '#shared/errors.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import type { Verdict } from '#shared/model/verdict.ts';
import type { CachedResult } from '../cache/cached-result.ts';
import { judgeKey, judgmentOf, passes, verdictUnasked, type Judge } from '../plan/judges.ts';
import type { MergedLens } from '../resolve/merge.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { checkByCommand } from './command-check.ts';
import { checkSchema } from './json-schema-check.ts';
import { PatternMatcher } from './pattern-matcher.ts';
import { checkText, type Finding } from './text-checks.ts';

/** Where verdicts are kept, by `judgeKey`. */
export interface VerdictMemory {
  find(key: Digest): Verdict | undefined;
  keep(key: Digest, verdict: Verdict): void;
}

export interface JudgeOptions {
  /** The lens that judges; without one nobody does. */
  readonly lens: MergedLens | undefined;
  readonly node: ResolvedSkill;
  readonly result: Pick<CachedResult, 'content'>;
  readonly resultDigest: Digest;
  readonly sandbox: Sandbox;
  /** Without it every judge is asked anew. */
  readonly memory?: VerdictMemory | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What the judges of a skill say about one result of it. */
export interface Judged {
  /** One for each judge, in the order in which the skill or the lens names them. */
  readonly verdicts: readonly Verdict[];
  readonly passed: boolean;
}

/** Has a result judged by everyone whom its skill asks for; a judge that breaks gives an error, never a pass. */
export async function judge(options: JudgeOptions): Promise<Judged> {
  const { lens, node, resultDigest, memory, signal } = options;
  const judgment = judgmentOf(lens, node);
  using matcher = new PatternMatcher();
  const verdicts: Verdict[] = [];
  for (const asked of judgment.judges) {
    signal?.throwIfAborted();
    const key = judgeKey(resultDigest, asked);
    const known = verdictUnasked(asked) ?? memory?.find(key);
    const verdict = known ?? (await verdictOf(asked, options, matcher));
    // A judge that broke may be well again tomorrow.
    if (!known && verdict.outcome !== 'error') memory?.keep(key, verdict);
    verdicts.push(verdict);
  }
  return { verdicts, passed: passes(verdicts, judgment) };
}

async function verdictOf(asked: Judge, options: JudgeOptions, matcher: PatternMatcher): Promise<Verdict> {
  switch (asked.kind) {
    case 'deterministic':
      return toVerdict(asked, await findingsOf(asked, options, matcher));
    case 'heuristic':
    case 'persona':
    case 'missing':
      throw new Error(`"${asked.name}" cannot be asked`);
    default:
      return unreachable(asked);
  }
}

async function findingsOf(
  { validator, script }: Extract<Judge, { kind: 'deterministic' }>,
  { result, sandbox, signal }: JudgeOptions,
  matcher: PatternMatcher,
): Promise<Finding[]> {
  const text = result.content;
  const findings = await checkText(validator, text, matcher);
  if (validator.jsonSchema !== undefined) {
    findings.push(await checkSchema(validator.jsonSchema, text, matcher));
  }
  if (validator.command !== undefined || script) {
    findings.push(await checkByCommand({ validator, script, text, sandbox, matcher, signal }));
  }
  return findings;
}

/** A validator passes by all of its checks; a broken check outweighs a failed one, for the whole was not judged. */
function toVerdict({ name, severity }: Judge, findings: readonly Finding[]): Verdict {
  const worst =
    findings.find(({ outcome }) => outcome === 'error') ??
    findings.find(({ outcome }) => outcome === 'fail') ??
    findings[0];
  const { outcome, message, evidence }: Finding = worst ?? {
    outcome: 'error',
    message: 'The validator checks nothing',
  };
  return {
    judge: name,
    kind: 'deterministic',
    severity,
    outcome,
    message,
    ...(outcome !== 'error' && { confidence: 1 }),
    ...(evidence !== undefined && { evidence: [{ quote: evidence }] }),
  };
}
