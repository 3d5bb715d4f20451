import { z } from 'zod';
import type { ToolName } from '#shared/model/tool-names.ts';
import type { ModelTool } from '../models/complete.ts';
import type { ResolvedScript, ResolvedSkill } from '../resolve/nodes.ts';
import type { ScriptOutcome } from '../sandbox/run-script.ts';
import type { Sandbox } from '../sandbox/sandbox.ts';
import { modelTool } from './model-tool.ts';
import { ToolRefusal } from './step-view.ts';
import type { StepView } from './step-view.ts';
import type { ToolRules } from './tool-rules.ts';

/** Something that ran, and what keeps it from counting. */
interface Ran {
  readonly outcome: ScriptOutcome;
  readonly error?: { readonly message: string } | undefined;
}

/** Starts things in the sandbox for one step, and keeps what they propose. */
export interface ToolWork {
  runScript(
    script: ResolvedScript,
    how: { workspace: string | undefined; isLast: boolean; args?: readonly string[] },
  ): Promise<Ran>;
  runCommand(
    name: string,
    how: { command: string; args?: readonly string[]; workspace: string | undefined },
  ): Promise<Ran>;
}

export interface ScriptToolsOptions {
  readonly skill: ResolvedSkill;
  readonly sandbox: Sandbox;
  readonly work: ToolWork;
  readonly view: StepView;
  readonly rules: ToolRules;
  /** Told of every script of the skill that ran to its end. */
  readonly onScript: (name: string) => void;
}

const mostChars = 30_000;

/** The tools that start something, in the same sandbox as every script: no network, the workspace read-only. */
export function scriptTools(options: ScriptToolsOptions): Partial<Record<ToolName, ModelTool>> {
  const { skill, sandbox, work, view, rules, onScript } = options;
  /** The workspace with what the step proposes so far. */
  const folder = (): Promise<string | undefined> =>
    view.changes.size === 0
      ? Promise.resolve(view.staged.folder)
      : sandbox.stageChanges(view.staged, view.changes);
  const limits = rules.limitsOf('Bash');
  const names = skill.scripts.map(({ name }) => name);
  return {
    Grep: modelTool(
      'Finds the lines that match an extended regular expression, as path:line:text',
      z.object({ pattern: z.string().max(1000), path: z.string().optional().describe('A file or folder') }),
      async ({ pattern, path = '.' }) => {
        const where =
          path === '.' || path === '/workspace' ? '.' : `./${view.pathOf(path.replace(/\/+$/, ''))}`;
        const args = [pattern, where];
        const ran = await work.runCommand('Grep', { command: grep, args, workspace: await folder() });
        return ran.outcome.exitCode === 1 ? 'No line matches' : textOf(ran);
      },
    ),
    Bash: modelTool(
      [
        'Runs a command with bash in a sandbox without network. The workspace is read-only there:',
        'files to propose go below $SUNWELL_FILES, at their paths in the workspace.',
        limits.length === 0 ? '' : `Only single commands like these are run: ${limits.join('; ')}`,
      ]
        .join(' ')
        .trim(),
      z.object({ command: z.string().min(1).max(20_000) }),
      async ({ command }) => {
        if (!rules.allowsCommand(command))
          throw new ToolRefusal(
            `Cannot run this command: the skill may only run single commands like ${limits.join('; ')}`,
          );
        return textOf(await work.runCommand('Bash', { command, workspace: await folder() }));
      },
    ),
    ...(names.length > 0 && {
      RunScript: modelTool(
        `Runs a script of this skill in the sandbox: ${names.join(', ')}`,
        z.object({ name: z.enum(names as [string, ...string[]]), args: z.array(z.string()).optional() }),
        async ({ name, args }) => {
          const script = skill.scripts.find((candidate) => candidate.name === name)!;
          const ran = await work.runScript(script, {
            workspace: await folder(),
            isLast: false,
            ...(args && { args }),
          });
          const text = textOf(ran);
          onScript(name);
          return text;
        },
      ),
    }),
  };
}

const grep = 'exec grep -rnIE -e "$1" -- "$2"';

/** What a model reads of something that ran; what failed is told as a failure. */
function textOf({ outcome, error }: Ran): string {
  const { stdout, stderr, exitCode, timedOut, limitsHit, cancelled } = outcome;
  const printed = [stdout.trimEnd(), stderr.trimEnd()].filter((text) => text !== '').join('\n');
  const shown = printed.length > mostChars ? `${printed.slice(0, mostChars)}\n[cut here]` : printed;
  if (cancelled) throw new ToolRefusal('It was cancelled');
  if (error) throw new ToolRefusal([error.message, shown].filter((text) => text !== '').join('\n'));
  if (exitCode === 0) return shown === '' ? '(it printed nothing)' : shown;
  const why = timedOut
    ? 'It took too long'
    : exitCode === undefined
      ? `It hit its limit of ${limitsHit.join(', ')}`
      : `It ended with exit code ${exitCode}`;
  throw new ToolRefusal([why, shown].filter((text) => text !== '').join('\n'));
}
