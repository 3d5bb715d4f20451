import { chmodSync, chownSync, lstatSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { agentFolders, agentScript } from './agent-script.ts';
import type { AgentStart } from './bubblewrap.ts';
import type { Program } from './find-program.ts';
import type { Identity } from './identity.ts';
import type { Interpreter } from './interpreters.ts';
import { agentLimits, limitsFrom, maxAgentTimeoutMs, type Limits } from './limits.ts';
import { inside } from './profile.ts';
import type { ScriptOutcome } from './run-script.ts';
import type { ScriptRequest } from './script-request.ts';

/** An agent of the user's own choice to run: it reaches the network, and otherwise sees what a script sees. */
export interface AgentRequest extends Pick<ScriptRequest, 'workspace' | 'signal' | 'onOutput'> {
  readonly program: Program;
  /** Arguments; `{prompt}` and `{prompt_file}` stand for the prompt, which otherwise comes on standard input. */
  readonly args: readonly string[];
  readonly prompt: string;
  /** Folder below `Sandbox.agentHomes` that its home is a copy of. */
  readonly home: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly timeoutMs?: number | undefined;
}

/** How an agent ended: what it said, the files it changed and the paths it deleted. */
export type AgentOutcome = Omit<ScriptOutcome, 'output'> & { readonly deleted: readonly string[] };

/** What is started for an agent. */
export function agentLaunch(
  { program, args, prompt, home, environment, timeoutMs, ...rest }: AgentRequest,
  node: Interpreter | undefined,
): { readonly request: ScriptRequest; readonly limits: Limits; readonly agent: AgentStart } {
  const isNamed = args.some((word) => /\{prompt(?:_file)?\}/.test(word));
  const words = args.map((word) =>
    word.replaceAll(/\{prompt(_file)?\}/g, (_, file) => (file === undefined ? prompt : inside.input)),
  );
  // Agents that are scripts say "env node" in their first line.
  const needed = node?.prefix === undefined ? [] : [node.prefix];
  const folders = [dirname(program.path), ...needed.map((prefix) => `${prefix}/bin`)];
  return {
    request: {
      ...rest,
      script: {
        name: 'agent',
        language: 'bash',
        source: { content: agentScript },
        args: [isNamed ? 'none' : 'stdin', program.path, ...words],
      },
      input: Buffer.from(prompt),
      environment: {
        ...environment,
        HOME: agentFolders.home,
        PATH: [...new Set([...folders, '/usr/local/bin', '/usr/bin', '/bin'])].join(':'),
      },
    },
    limits: limitsFrom({ ...agentLimits, ...(timeoutMs !== undefined && { timeoutMs }) }, maxAgentTimeoutMs),
    agent: { network: 'shared', home, prefixes: [...program.binds, ...needed] },
  };
}

/** Reads what the agent's script left. */
export function agentOutcome({ output = '', ...outcome }: ScriptOutcome): AgentOutcome {
  return { ...outcome, deleted: output.split('\0').filter((path) => path !== '') };
}

/** Lets the user of the sandbox read a home, where that is somebody else. */
export function handOverHome(folder: string, identity: Identity): void {
  if (!identity.isDropped) return;
  const found = lstatSync(folder);
  if (found.isSymbolicLink()) return;
  chownSync(folder, 0, identity.gid);
  chmodSync(folder, (found.mode & 0o700) | ((found.mode & 0o500) >> 3));
  if (found.isDirectory()) for (const name of readdirSync(folder)) handOverHome(join(folder, name), identity);
}
