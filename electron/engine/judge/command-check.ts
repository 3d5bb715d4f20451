import { StudioError, unreachable } from '#shared/errors.ts';
import { successConditions } from '#shared/model/lens-terms.ts';
import type { DeterministicValidator } from '#shared/model/lens.ts';
import { skillDefaults } from '#shared/model/skill.ts';
import type { JudgeScript } from '../plan/judge-script.ts';
import type { ScriptOutcome } from '../sandbox/run-script.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import type { PatternMatcher } from './pattern-matcher.ts';
import { cut, type Finding } from './text-checks.ts';

type SuccessCondition = (typeof successConditions)[number];

/** Where the judged text lies in the sandbox; it holds nothing that a shell would obey, quoted or not. */
const outputFile = '/skill/output';

export interface CommandCheckOptions {
  readonly validator: DeterministicValidator;
  readonly script?: JudgeScript | undefined;
  readonly text: string;
  readonly sandbox: Sandbox;
  readonly matcher: PatternMatcher;
  readonly signal?: AbortSignal | undefined;
}

/**
 * Asks a program about a text: it sees the text and nothing of the workspace, for a verdict is kept by the text alone. A
 * program that does not start, breaks or takes too long has said nothing, whatever it would have meant by failing.
 */
export async function checkByCommand(options: CommandCheckOptions): Promise<Finding> {
  const { validator, script = commandScript(validator), text, sandbox, signal } = options;
  if ('problem' in script) return { outcome: 'error', message: script.problem };
  const content = Buffer.from(text);
  try {
    const outcome = await sandbox.run({
      script: {
        name: script.name,
        language: script.language,
        source: { content: script.content },
        args: [outputFile],
      },
      input: content,
      environment: { OUTPUT_FILE: outputFile },
      skill: sandbox.stageSkill([{ path: 'output', content }]),
      limits: { timeoutMs: timeoutSeconds(validator) * 1000 },
      signal,
    });
    signal?.throwIfAborted();
    return await findingOf(outcome, options);
  } catch (error) {
    if (!(error instanceof StudioError)) throw error;
    return { outcome: 'error', message: error.message };
  }
}

/** When a program's end means yes: as written, else by the pattern, else by what searching for something unwanted means. */
export function successCondition({
  name,
  command,
  successWhen,
  successPattern,
}: DeterministicValidator): SuccessCondition {
  const written = successConditions.find((condition) => condition === successWhen);
  if (written) return written;
  if (successPattern !== undefined) return 'pattern';
  return /^no[_-]/i.test(name) && isSearch(command) ? 'exit-nonzero' : 'exit-zero';
}

/** A shell takes the command as it is written; the only thing that is put in is a path of ours. */
function commandScript({ command = '' }: DeterministicValidator): JudgeScript {
  const content = command.replaceAll('{output_file}', outputFile);
  return { name: 'validator.sh', language: 'bash', content };
}

async function findingOf(
  outcome: ScriptOutcome,
  { validator, matcher }: CommandCheckOptions,
): Promise<Finding> {
  const { exitCode, stdout, stderr } = outcome;
  const broken = breakageOf(outcome, validator);
  const evidence = cut(stdout) || cut(stderr);
  const told = evidence === '' ? {} : { evidence };
  if (broken !== undefined) return { outcome: 'error', message: `Its program ${broken}`, ...told };
  const condition = successCondition(validator);
  const by = (isGood: boolean, what: string): Finding => ({
    outcome: isGood ? 'pass' : 'fail',
    message: `Its program ${what} (good is ${condition})`,
    ...told,
  });
  switch (condition) {
    case 'exit-zero':
      return by(exitCode === 0, `ended with exit code ${exitCode}`);
    case 'exit-nonzero':
      return by(exitCode !== 0, `ended with exit code ${exitCode}`);
    case 'output-empty':
      return by(stdout.trim() === '', stdout.trim() === '' ? 'printed nothing' : 'printed something');
    case 'pattern': {
      const pattern = validator.successPattern;
      if (pattern === undefined)
        return { outcome: 'error', message: 'It has no "success_pattern" to look for' };
      const match = await matcher.match(pattern, stdout.replace(/\n$/, ''));
      if ('problem' in match)
        return { outcome: 'error', message: `Cannot try /${pattern}/: ${match.problem}` };
      return by(match.found !== null, match.found ? `printed /${pattern}/` : `did not print /${pattern}/`);
    }
    default:
      return unreachable(condition);
  }
}

/** How a program broke, so that its end says nothing about the text. */
function breakageOf(outcome: ScriptOutcome, validator: DeterministicValidator): string | undefined {
  const { exitCode, signal, timedOut, limitsHit } = outcome;
  if (timedOut) return `took longer than ${timeoutSeconds(validator)} s`;
  if (limitsHit.length > 0) return `hit its limit of ${limitsHit.join(', ')}`;
  if (signal !== undefined || exitCode === undefined) return `was ended by signal ${signal ?? 'KILL'}`;
  if (exitCode === 126 || exitCode === 127) return `could not be started (exit code ${exitCode})`;
  // A search ends with 1 when it finds nothing, and with more when it could not search.
  if (isSearch(validator.command) && exitCode > 1) return `could not search (exit code ${exitCode})`;
  return undefined;
}

function isSearch(command: string | undefined): boolean {
  return /^\s*(?:e|f)?(?:grep|rg)\s/.test(command ?? '');
}

function timeoutSeconds({ timeoutSeconds: given }: DeterministicValidator): number {
  return given ?? skillDefaults.timeoutSeconds;
}
