import { StudioError } from '#shared/errors.ts';
import type { ModelConfig } from '#shared/model/config.ts';
import { AgentHome } from '../agent-skills/agent-home.ts';
import type { Environment } from '../agent-skills/home-layouts.ts';
import type { SkillSource } from '../agent-skills/prepare-skill.ts';
import { SkillMountError, SkillNotFoundError, SkillValidationError } from '../agent-skills/skill-errors.ts';
import type { AgentOutcome } from '../sandbox/agent-request.ts';
import { agentFolders } from '../sandbox/agent-script.ts';
import { agentLimits, maxAgentTimeoutMs } from '../sandbox/limits.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { agentCommand } from './agent-commands.ts';
import { withoutKey } from './key-filter.ts';
import { ModelError } from './model-error.ts';

/** What an agent works on beyond its prompt. */
export interface Workplace {
  /** Staged files that it gets a copy of; undefined for none. */
  readonly folder: string | undefined;
  /** Skills that it finds in its home. */
  readonly skills: readonly SkillSource[];
  /** Told of the work when it begins; it ends when the agent, its home and all it started are gone. */
  readonly attend: (work: Promise<AgentOutcome>) => void;
}

/** An agent of the user's configuration, with what it may have of the user. */
export interface AgentParts {
  readonly config: ModelConfig;
  readonly key: string | undefined;
  readonly environment: Environment;
  readonly sandbox: Sandbox;
}

/** One question to an agent. */
export interface AgentQuestion {
  readonly prompt: string;
  readonly workplace: Workplace | undefined;
  readonly signal: AbortSignal | undefined;
  readonly onText: (text: string) => void;
}

const longestArgument = 128 * 1024 - 1;
const linesTold = 5;

/** Runs an agent in a home of its own, which is gone afterwards. Throws a `ModelError` where it gave no whole answer. */
export async function runAgent(
  { config, key, environment, sandbox }: AgentParts,
  { prompt, workplace, signal, onText }: AgentQuestion,
): Promise<AgentOutcome> {
  const command = agentCommand(config);
  if (!command) throw new ModelError('not-supported', 'it needs "command", the agent to run');
  const { agent, args } = command;
  const program = programOf(sandbox, command.program);
  const isArgument = args.some((word) => word.includes('{prompt}'));
  if (isArgument && Buffer.byteLength(prompt) > longestArgument)
    throw new ModelError('too-large', 'the prompt is too long for an argument: use {prompt_file}');
  try {
    await using home = await AgentHome.make({ agent, environment, parent: sandbox.agentHomes() });
    if (workplace && workplace.skills.length > 0) await home.mount(workplace.skills);
    const outcome = await sandbox.runAgent({
      ...{ program, args, prompt, signal, home: home.folder },
      workspace: workplace?.folder,
      environment: { ...seenInside(home), ...(key !== undefined && { [config.apiKeyEnv!]: key }) },
      timeoutMs: agentTimeoutMs(config),
      onOutput: (stream, text) => {
        if (stream === 'stdout') onText(text);
      },
    });
    requireWhole(outcome, agentTimeoutMs(config));
    requireNoKey(outcome, key);
    return outcome;
  } catch (error) {
    throw toAgentError(error);
  }
}

/** How long the configured agent may work. */
export function agentTimeoutMs({ params }: ModelConfig): number {
  const { timeout } = params;
  if (timeout === undefined) return agentLimits.timeoutMs;
  const most = maxAgentTimeoutMs / 1000;
  if (typeof timeout !== 'number' || !(timeout > 0) || timeout > most)
    throw new ModelError('not-supported', `"timeout" must be a number of seconds up to ${most}`);
  return Math.ceil(timeout * 1000);
}

function programOf(sandbox: Sandbox, word: string): ReturnType<Sandbox['program']> {
  try {
    return sandbox.program(word);
  } catch (error) {
    throw new ModelError('not-supported', `"${word}" cannot be run: ${(error as Error).message}`);
  }
}

/** Variables that name places of the home, as the agent sees them. */
function seenInside({ folder, environment }: AgentHome): Record<string, string> {
  const places = Object.entries(environment).filter(
    ([name, value]) => value.startsWith(folder) && name !== 'TMPDIR' && name !== 'USERPROFILE',
  );
  return Object.fromEntries(
    places.map(([name, value]) => [name, `${agentFolders.home}${value.slice(folder.length)}`]),
  );
}

function requireWhole(outcome: AgentOutcome, timeoutMs: number): void {
  const { cancelled, timedOut, exitCode, truncated, limitsHit, rejected, stderr } = outcome;
  if (cancelled) throw new ModelError('cancelled', 'it was cancelled');
  if (timedOut)
    throw new ModelError(
      'timed-out',
      `it took longer than ${timeoutMs / 1000} seconds: raise "timeout" of its "params"`,
    );
  if (exitCode === undefined)
    throw new ModelError('agent-failed', `it hit its limit of ${limitsHit.join(', ')}`);
  if (exitCode !== 0) {
    const said = stderr.trim().split('\n').slice(-linesTold).join('\n');
    throw new ModelError(
      'agent-failed',
      `it ended with exit code ${exitCode}${said === '' ? '' : `: ${said}`}`,
    );
  }
  if (truncated) throw new ModelError('too-large', 'it printed more than 1 MB');
  const [first] = rejected;
  if (first)
    throw new ModelError(
      'agent-failed',
      `it left ${JSON.stringify(first.path)}, which cannot be a proposal: ${first.reason}`,
    );
}

/** An agent knows its key and could write it into a file that is shared later. */
function requireNoKey({ artifacts, deleted }: AgentOutcome, key: string | undefined): void {
  const texts = [...artifacts.flatMap(({ path, content }) => [path, content.toString('utf8')]), ...deleted];
  if (texts.some((text) => withoutKey(text, key) !== text))
    throw new ModelError('agent-failed', 'it wrote its key into a file: nothing of it is kept');
}

function toAgentError(error: unknown): unknown {
  if (error instanceof StudioError) return new ModelError('not-supported', error.message, { cause: error });
  const isMount = [SkillMountError, SkillNotFoundError, SkillValidationError].some(
    (kind) => error instanceof kind,
  );
  return isMount ? new ModelError('not-supported', (error as Error).message, { cause: error }) : error;
}
