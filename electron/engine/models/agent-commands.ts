import { basename } from 'node:path';
import type { ModelConfig } from '#shared/model/config.ts';
import type { AnyAgent, HomeAgent } from '../agent-skills/home-layouts.ts';

/**
 * How each agent that we know is asked one question without a terminal: it reads the prompt from standard input, may edit
 * files, and prints its answer. Used where the configuration names the program alone.
 */
const shapes: Readonly<Record<HomeAgent, (model: readonly string[]) => readonly string[]>> = {
  claude: (model) => ['-p', '--permission-mode', 'acceptEdits', ...model],
  // Without a repository it refuses to work, and the copy of a workspace has none; "-" is standard input.
  codex: (model) => ['exec', '--skip-git-repo-check', '--sandbox', 'workspace-write', ...model, '-'],
  opencode: (model) => ['run', ...model],
};

/** An agent as it is started. */
export interface AgentCommand {
  readonly agent: AnyAgent;
  readonly program: string;
  readonly args: readonly string[];
}

/** What a configured command means; words of the user's own stay as they are, but for `{model}`. Undefined without a command. */
export function agentCommand({ command = [], model }: ModelConfig): AgentCommand | undefined {
  const [program, ...words] = command;
  if (program === undefined) return undefined;
  const name = basename(program);
  const agent = Object.hasOwn(shapes, name) ? (name as HomeAgent) : 'other';
  const isAlone = words.length === 0 && agent !== 'other';
  const args = isAlone
    ? shapes[agent](model === undefined ? [] : ['--model', model])
    : words.map((word) => word.replaceAll('{model}', () => model ?? ''));
  return { agent, program, args };
}
