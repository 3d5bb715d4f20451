import { resolve } from 'node:path';
import { defaultHome } from '#engine/home.ts';
import { applyChanges, reviewChanges, type ReviewedChange } from '#engine/run/apply-changes.ts';
import { hasInstructions } from '#engine/prompt/offered-skills.ts';
import { runSkill, type RunSkillOptions } from '#engine/run/run-skill.ts';
import type { StepResult } from '#engine/run/step-result.ts';
import { cleanTerminalText } from '#engine/sandbox/terminal-text.ts';
import { writeFile } from '#engine/store/write-file.ts';
import { GrantStore } from '#engine/trust/grant-store.ts';
import { StudioError } from '#shared/errors.ts';
import { countText } from '#shared/quantities.ts';
import { gatherInputs } from '../gather-inputs.ts';
import { ExitCode } from '../exit-code.ts';
import { findSkill } from '../find-skill.ts';
import type { Invocation } from '../invocation.ts';
import type { ModelWords } from '../run/model-words.ts';
import { openSandbox } from '../open-sandbox.ts';
import { inert } from '../terminal.ts';
import { textDiff } from '../text-diff.ts';

export interface ExecOptions extends ModelWords {
  readonly input?: readonly string[];
  readonly inputFile?: readonly string[];
  readonly task?: string;
  readonly write?: true;
  readonly dryRun?: true;
  readonly output?: string;
}

/** Runs one skill, by its scripts or by a model: prints its content, and shows or writes the files it proposes. */
export async function exec(invocation: Invocation, named: string, options: ExecOptions): Promise<ExitCode> {
  const { terminal, output } = invocation;
  const { skill, resolution, workspace } = await findSkill(invocation, named);
  const { root } = workspace;
  const { inputs, params } = await gatherInputs(invocation, [skill], options);
  const grants = new GrantStore(defaultHome(terminal.machine.environment));
  using sandbox = openSandbox(invocation, root);
  const startedAt = new Date();
  using snapshot = await sandbox.snapshot(root);
  const run: RunSkillOptions = {
    skill,
    sandbox,
    grants,
    snapshot,
    inputs,
    params,
    task: options.task,
    startedAt,
    signal: terminal.interrupted,
    // What a script says while it works is for the person who waits; what it prints is its result.
    onOutput: (_, stream, text) => void (stream === 'stderr' && terminal.stderr.write(text)),
  };
  const step = hasInstructions(skill)
    ? await (await import('./exec-model.ts')).execByModel(invocation, { ...run, resolution, words: options })
    : await runSkill(run);
  for (const { message } of grants.notices) output.note(message);
  const changes = step.state === 'ran' ? await reviewChanges(root, step.changes) : [];
  const applied = options.write
    ? await applyChanges({ root, startedAt, files: snapshot.files }, changes)
    : [];
  if (step.state === 'ran' && options.output !== undefined) {
    await writeContent(resolve(terminal.workingDirectory, options.output), options.output, step.content);
  }
  tell(invocation, step, { changes, applied }, options);
  if (output.isJson) output.document(toDocument({ skill, step, changes, applied }, options));
  else if (step.state === 'ran') print(invocation, step.content, changes, options);
  return exitCodes[step.state];
}

const exitCodes = { ran: ExitCode.ok, failed: ExitCode.failed, cancelled: ExitCode.cancelled } as const;

/** Says on standard error how it ended and what is proposed. */
function tell(
  { output }: Invocation,
  step: StepResult,
  { changes, applied }: { changes: readonly ReviewedChange[]; applied: readonly string[] },
  { write, dryRun }: ExecOptions,
): void {
  if (step.state === 'failed') output.note(inert(step.error.message));
  if (step.state === 'cancelled') output.note('Cancelled');
  if (step.state !== 'ran' && step.partial !== undefined)
    output.note(inert(`The answer broke off: ${step.partial}`));
  if (step.logs.some(({ truncated }) => truncated)) output.note('Some of the output was not kept');
  for (const { path, operation, after } of changes) {
    const size = after ? ` (${countText(after.length, 'byte')})` : '';
    const isApplied = applied.includes(path);
    const what = operation === 'none' ? 'same' : operation;
    output.note(inert(`${isApplied ? 'written ' : 'proposed'}  ${what.padEnd(6)}  ${path}${size}`));
  }
  const isOpen = changes.some(({ operation }) => operation !== 'none');
  if (isOpen && !write && !dryRun) output.note('See the changes with --dry-run, apply them with --write');
}

function print(
  { terminal }: Invocation,
  content: string,
  changes: readonly ReviewedChange[],
  { dryRun, output: file }: ExecOptions,
): void {
  if (dryRun) terminal.stdout.write(changes.map(diffOf).join(''));
  else if (file === undefined && content !== '') {
    const text = cleanTerminalText(content);
    terminal.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
  }
}

function diffOf({ path, operation, before, after }: ReviewedChange): string {
  return operation === 'none' ? '' : textDiff(path, before, after);
}

async function writeContent(path: string, shown: string, content: string): Promise<void> {
  try {
    await writeFile(path, content);
  } catch (error) {
    throw new StudioError('file.unwritable', `Cannot write "${shown}": ${(error as Error).message}`, {
      file: shown,
    });
  }
}

/** The run as `sunwell exec --json` prints it; what only a run of a whole graph has is left out. */
function toDocument(
  ran: {
    skill: { id: string; name: string };
    step: StepResult;
    changes: readonly ReviewedChange[];
    applied: readonly string[];
  },
  { dryRun }: ExecOptions,
) {
  const { skill, step, changes, applied } = ran;
  return {
    status: step.state,
    steps: [
      {
        skill: skill.name,
        id: skill.id,
        state: step.state,
        cached: false,
        durationMs: Math.round(step.durationMs),
        ...(step.state === 'ran' && { content: step.content, outputs: step.outputs }),
        artifacts: changes.map((change) => ({
          path: change.path,
          operation: change.operation,
          ...(change.contentHash !== undefined && { contentHash: change.contentHash }),
          ...(dryRun && { diff: diffOf(change) }),
        })),
        logs: step.logs.map((log) => ({ ...log, durationMs: Math.round(log.durationMs) })),
        limitsHit: step.limitsHit,
        ...(step.model && { model: step.model }),
        ...(step.state === 'failed' && { error: step.error }),
      },
    ],
    artifactsApplied: applied,
  };
}
