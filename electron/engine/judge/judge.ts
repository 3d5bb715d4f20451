import { unreachable } from '#shared/errors.ts';
import { overall, type Overall } from '#shared/judgment/overall.ts';
import type { Digest } from '#shared/model/fingerprint.ts';
import type { JudgmentRule, Verdict } from '#shared/model/verdict.ts';
import type { CachedResult } from '../cache/cached-result.ts';
import { judgeKey, judgmentOf, verdictUnasked, type Judge } from '../plan/judges.ts';
import type { MergedLens } from '../resolve/merge.ts';
import type { ResolvedSkill } from '../resolve/nodes.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { AskedModel } from '../models/asked-model.ts';
import type { OnAsked } from './ask-model.ts';
import { checkByCommand } from './command-check.ts';
import { checkSchema } from './json-schema-check.ts';
import type { JudgedFile, JudgedWork } from './judged-work.ts';
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
  /** Judges in place of the lens. */
  readonly judgedBy?: MergedLens | undefined;
  /** Missing where what is judged was not made by a skill. */
  readonly node?: ResolvedSkill | undefined;
  readonly result: Pick<CachedResult, 'content'>;
  readonly resultDigest: Digest;
  /** The texts that the result proposes as files; asked for only where a model judges. */
  readonly filesOf?: (() => readonly JudgedFile[]) | undefined;
  readonly sandbox: Sandbox;
  /** Without it, judges that need a model do not judge. */
  readonly model?: AskedModel | undefined;
  readonly onAsked?: OnAsked | undefined;
  /** Without it every judge is asked anew. */
  readonly memory?: VerdictMemory | undefined;
  readonly signal?: AbortSignal | undefined;
}

/** What the judges of a skill say about one result of it. */
export interface Judged {
  /** One for each judge, in the order in which the skill or the lens names them. */
  readonly verdicts: readonly Verdict[];
  readonly overall: Overall;
  /** When they let it pass; missing where nobody judges. */
  readonly rule?: JudgmentRule | undefined;
}

/** Has a result judged by everyone whom its skill asks for; a judge that breaks gives an error, never a pass. */
export async function judge(options: JudgeOptions): Promise<Judged> {
  const { node, resultDigest, memory, model, signal } = options;
  const { judges, rule } = judgmentOf(options, node);
  using matcher = new PatternMatcher();
  const verdicts: Verdict[] = [];
  for (const asked of judges) {
    signal?.throwIfAborted();
    const key = judgeKey(resultDigest, asked, model);
    const known = memory?.find(key) ?? verdictUnasked(asked, model !== undefined);
    const verdict = known ?? (await verdictOf(asked, options, matcher));
    // A judge that broke may be well again tomorrow.
    if (!known && verdict.outcome !== 'error') memory?.keep(key, verdict);
    verdicts.push({ ...verdict, key });
  }
  return { verdicts, overall: overall(verdicts, rule), rule };
}

async function verdictOf(asked: Judge, options: JudgeOptions, matcher: PatternMatcher): Promise<Verdict> {
  switch (asked.kind) {
    case 'deterministic':
      return toVerdict(asked, await findingsOf(asked, options, matcher));
    case 'heuristic':
      // Loaded only where a model judges.
      return (await import('./heuristic-judge.ts')).judgeByHeuristic(asked, questionFor(asked, options));
    case 'persona':
      return (await import('./persona-judge.ts')).judgeAsPersona(asked, questionFor(asked, options));
    case 'missing':
      throw new Error(`"${asked.name}" cannot be asked`);
    default:
      return unreachable(asked);
  }
}

function questionFor(
  { name }: Judge,
  { model, result, filesOf, signal, onAsked }: JudgeOptions,
): { model: AskedModel; work: JudgedWork; signal?: AbortSignal | undefined; onAsked?: OnAsked | undefined } {
  if (!model) throw new Error(`"${name}" cannot be asked without a model`);
  return { model, work: { content: result.content, files: filesOf?.() ?? [] }, signal, onAsked };
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
