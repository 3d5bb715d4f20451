import { StudioError } from '#shared/errors.ts';
import { didYouMean, lookupName } from '#shared/lens/names.ts';
import type { Workflow, WorkflowStep } from '#shared/model/lens.ts';
import type { RunRecord, RunRequest } from '#shared/model/run.ts';
import type { Resolution } from '#engine/resolve/resolve.ts';
import { withAction } from '#engine/resolve/workflow-action.ts';
import type { WorkflowAction } from '#engine/resolve/workflow-action.ts';
import { ExitCode } from '../exit-code.ts';
import { resolveNamed } from '../find-lens.ts';
import type { Invocation } from '../invocation.ts';
import { reasonText } from '../plan-lines.ts';
import { noteProblems } from '../problem-note.ts';
import { requireTargets } from '../report/write-reports.ts';
import { CommandRuns } from '../run/open-runs.ts';
import { howToAsk } from '../run/model-words.ts';
import { refuseTwoFormats, runRequest } from '../run/run-words.ts';
import type { RunWords } from '../run/run-words.ts';
import { exitCodes, RunTeller } from '../run/tell-run.ts';
import { inert } from '../terminal.ts';

/** Runs a workflow of a lens: its steps one after the other, each block of parallel ones as one run; ends at a failure. */
export async function workflow(
  invocation: Invocation,
  named: string,
  name: string,
  words: RunWords,
): Promise<ExitCode> {
  const { output } = invocation;
  refuseTwoFormats(invocation, words);
  await requireTargets(invocation, words);
  const { resolution, workspace } = await resolveNamed(invocation, named);
  const found = findWorkflow(resolution, named, name);
  const stages = found.steps.flatMap(stagesOf);
  const request = await runRequest(invocation, resolution.skills, words);
  noteProblems(invocation, resolution);
  await using session = new CommandRuns(invocation, workspace, howToAsk(invocation, words));
  for (const stage of stages)
    if ('action' in stage) await requireModel(session, resolution, stage.action, request);
  const records: RunRecord[] = [];
  let exitCode: ExitCode = ExitCode.ok;
  for (const [i, stage] of stages.entries()) {
    const context = { ...request.inputs, ...deliveredBy(records) };
    const target = 'only' in stage ? resolution : withAction(resolution, stage.action, Object.keys(context));
    const only = 'only' in stage ? [...stage.only] : [target.skills[0]!.name];
    if (!words.jsonStream && !output.isJson) {
      output.note(inert(`Step ${i + 1} of ${stages.length}: ${only.join(', ')}`));
    }
    const teller = new RunTeller(output.isJson ? silent(invocation) : invocation, words);
    const asked = { ...request, ...('action' in stage && { inputs: context }), selection: { only } };
    const record = await (await session.runs.start(target, asked, session.followedBy(teller))).done;
    records.push(record);
    const wanted = record.steps.filter(({ skill }) => only.includes(skill));
    exitCode = await teller.finish(session.runs, record, wanted);
    if (exitCode !== ExitCode.ok) break;
  }
  const status = records.at(-1)?.status ?? 'succeeded';
  if (output.isJson && !words.jsonStream) {
    output.document({ workflow: found.name, lens: resolution.source.file, status, runs: records });
  }
  return records.length > 0 ? exitCodes[status] : exitCode;
}

/** The runs of a workflow become one document: none of them prints its own. */
function silent(invocation: Invocation): Invocation {
  const output = Object.create(invocation.output) as Invocation['output'];
  Object.defineProperty(output, 'document', { value: () => undefined });
  return { ...invocation, output };
}

function findWorkflow({ lens }: Resolution, named: string, name: string): Workflow {
  const all = lens?.workflows.map(({ value }) => value) ?? [];
  const found = all.find((workflow) => lookupName(workflow.name) === lookupName(name));
  if (found) return found;
  const names = all.map((workflow) => workflow.name);
  const meant = didYouMean(name, new Set(names));
  const hint =
    meant === undefined
      ? `it has ${names.map((one) => `"${one}"`).join(', ') || 'none'}`
      : `did you mean "${meant}"?`;
  throw new StudioError('lens.unknown-workflow', `Cannot find workflow "${name}" of "${named}": ${hint}`, {
    name,
    workflows: names,
  });
}

/** Refuses an action that nobody can do before anything runs. */
async function requireModel(
  { runs }: CommandRuns,
  resolution: Resolution,
  action: WorkflowAction,
  request: RunRequest,
): Promise<void> {
  const { decisions } = await runs.plan(withAction(resolution, action, []), request);
  const blocked = decisions.find(({ decision }) => decision === 'blocked');
  if (!blocked) return;
  throw new StudioError(
    'skill.needs-model',
    `Cannot run workflow step "${action.name ?? action.action}": ${reasonText(blocked.reasons[0]!)}`,
    { action: action.action },
  );
}

/** What one run of a workflow works on: skills together, or one action. */
type Stage = { readonly only: readonly string[] } | { readonly action: WorkflowAction };

/** The skills of a parallel block run together, its actions after them. */
function stagesOf(step: WorkflowStep): Stage[] {
  switch (step.kind) {
    case 'skill':
      return [{ only: [step.skill] }];
    case 'action':
      return [{ action: step }];
    case 'parallel': {
      const inside = step.steps.flatMap(stagesOf);
      const only = inside.flatMap((stage) => ('only' in stage ? stage.only : []));
      const actions = inside.filter((stage) => 'action' in stage);
      return only.length > 0 ? [{ only }, ...actions] : actions;
    }
  }
}

/** Context for an action: what steps delivered, and under the name of a skill what one said that delivers nothing. */
function deliveredBy(records: readonly RunRecord[]): Record<string, unknown> {
  const steps = records.flatMap((record) => record.steps);
  return Object.fromEntries(
    steps.flatMap(({ skill, content, outputs }): [string, unknown][] => {
      const delivered = Object.entries(outputs ?? {});
      return delivered.length > 0 || content === undefined ? delivered : [[skill, content]];
    }),
  );
}
