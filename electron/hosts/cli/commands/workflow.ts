import { StudioError } from '#shared/errors.ts';
import { findSkills } from '#shared/graph/find-skills.ts';
import { didYouMean, lookupName } from '#shared/lens/names.ts';
import type { Workflow, WorkflowStep } from '#shared/model/lens.ts';
import type { RunRequest, StepRecord } from '#shared/model/run.ts';
import type { Resolution } from '#engine/resolve/resolve.ts';
import { withAction } from '#engine/resolve/workflow-action.ts';
import type { WorkflowAction } from '#engine/resolve/workflow-action.ts';
import { ExitCode } from '../exit-code.ts';
import { resolveNamed } from '../find-lens.ts';
import type { Invocation } from '../invocation.ts';
import { reasonText } from '../plan-lines.ts';
import { noteProblems } from '../problem-note.ts';
import { requireTargets, writeReports } from '../report/write-reports.ts';
import { CommandRuns } from '../run/open-runs.ts';
import { howToAsk } from '../run/model-words.ts';
import { refuseTwoFormats, runRequest } from '../run/run-words.ts';
import type { RunWords } from '../run/run-words.ts';
import { RunTeller, stepsNamed, writeContent, type Told } from '../run/tell-run.ts';
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
  const skills = stages.flatMap((stage) => ('only' in stage ? stage.only : []));
  // Refused here: what the steps before it did could not be taken back.
  findSkills(resolution.graph, skills);
  const request = await runRequest(invocation, resolution.skills, words);
  noteProblems(invocation, resolution);
  await using session = new CommandRuns(invocation, workspace, howToAsk(invocation, words));
  for (const stage of stages)
    if ('action' in stage) await requireModel(session, resolution, stage.action, request);
  if (stages.length === 0) output.note(inert(`Workflow "${found.name}" has no steps: nothing ran`));
  const { report: _report, output: file, ...stageWords } = words;
  const done: Told[] = [];
  const wanted: StepRecord[] = [];
  for (const [i, stage] of stages.entries()) {
    const context = { ...request.inputs, ...deliveredBy(done) };
    const target = 'only' in stage ? resolution : withAction(resolution, stage.action, Object.keys(context));
    const only = 'only' in stage ? [...stage.only] : [target.skills[0]!.name];
    if (!words.jsonStream && !output.isJson) {
      output.note(inert(`Step ${i + 1} of ${stages.length}: ${only.join(', ')}`));
    }
    const teller = new RunTeller(invocation, stageWords, { isPart: true });
    const asked = { ...request, ...('action' in stage && { inputs: context }), selection: { only } };
    const record = await (await session.runs.start(target, asked, session.followedBy(teller))).done;
    const asResult = stepsNamed(record, only);
    wanted.push(...asResult);
    const told = await teller.finish(session.runs, record, file === undefined ? asResult : []);
    done.push(told);
    // A step that could not write what it proposes is none that the next ones can build on.
    if (told.exitCode !== ExitCode.ok) break;
  }
  return await tellAll(
    invocation,
    { workflow: found.name, lens: resolution.source.file, done, wanted },
    words,
  );
}

/** Writes what came of all runs, once: each of them alone would replace what the one before it wrote. */
async function tellAll(
  invocation: Invocation,
  {
    done,
    wanted,
    ...names
  }: {
    readonly workflow: string;
    readonly lens: string;
    readonly done: readonly Told[];
    readonly wanted: readonly StepRecord[];
  },
  { report, output: file, jsonStream }: RunWords,
): Promise<ExitCode> {
  const { output } = invocation;
  const records = done.map(({ record }) => record);
  const status = records.at(-1)?.status ?? 'succeeded';
  const document = { ...names, status, runs: done.map((run) => run.document) };
  const content = file === undefined ? ExitCode.ok : await writeContent(invocation, file, wanted);
  const reports =
    report === undefined ? ExitCode.ok : await writeReports(invocation, { records, document }, report);
  if (output.isJson && !jsonStream) output.document(document);
  return (done.at(-1)?.exitCode ?? ExitCode.ok) || content || reports;
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
function deliveredBy(done: readonly Told[]): Record<string, unknown> {
  const steps = done.flatMap(({ record }) => record.steps);
  return Object.fromEntries(
    steps.flatMap(({ skill, content, outputs }): [string, unknown][] => {
      const delivered = Object.entries(outputs ?? {});
      return delivered.length > 0 || content === undefined ? delivered : [[skill, content]];
    }),
  );
}
