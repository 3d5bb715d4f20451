import { InvalidArgumentError } from 'commander';
import type { AskHow } from '#engine/models/asked-model.ts';
import type { WorkspaceRuns } from '#engine/run/workspace-runs.ts';
import { spentLines } from '#shared/cost-text.ts';
import { StudioError } from '#shared/errors.ts';
import type { Selection } from '#shared/model/plan.ts';
import type { RunComparison, RunId, RunRecord, RunSummary } from '#shared/model/run.ts';
import { RunId as RunIdSchema } from '#shared/model/run.ts';
import { timeOfRun } from '#shared/run-time.ts';
import { agoText, durationText } from '#shared/quantities.ts';
import { CommandWorkspace } from '../command-workspace.ts';
import { ExitCode } from '../exit-code.ts';
import { resolveSkillById } from '../find-skill.ts';
import type { Invocation } from '../invocation.ts';
import { requireTargets, writeReports } from '../report/write-reports.ts';
import { lastWords, waysOutOf } from '../run/last-words.ts';
import { CommandRuns } from '../run/open-runs.ts';
import { howToAsk } from '../run/model-words.ts';
import { refuseTwoFormats } from '../run/run-words.ts';
import type { RunWords } from '../run/run-words.ts';
import { verdictLines } from '../run/verdict-lines.ts';
import { summary } from '../run/run-summary.ts';
import { exitCodes, RunTeller, stepsNamed } from '../run/tell-run.ts';
import { columns, printTable } from '../table.ts';
import { inert } from '../terminal.ts';
import { writeNamedFile } from '../write-named-file.ts';

const mostListed = 500;

/** Lists the runs of the workspace, newest first. */
export async function runList(invocation: Invocation, { limit = 20 }: { limit?: number }): Promise<ExitCode> {
  const { output } = invocation;
  await using session = await open(invocation);
  const runs = await session.runs.list({ limit });
  if (output.isJson) output.document(runs);
  else if (runs.length === 0) output.note('Nothing has run in this workspace');
  else {
    const rows = runs.map((run) => [
      run.runId,
      agoText(run.startedAt, Date.now()),
      run.lensName,
      run.status,
      `${run.ran}`,
      `${run.cached}`,
      `${run.failed + run.blocked}`,
      durationText(run.durationMs),
    ]);
    printTable(output, ['RUN', 'WHEN', 'LENS', 'STATUS', 'RAN', 'CACHED', 'FAILED', 'TOOK'], rows);
  }
  return ExitCode.ok;
}

/** Shows one run, step by step. */
export async function runShow(
  invocation: Invocation,
  named: string,
  { report }: { report?: string },
): Promise<ExitCode> {
  const { output } = invocation;
  if (report !== undefined) await requireTargets(invocation, { report });
  await using session = await open(invocation);
  const record = await session.runs.show(await findRun(session.runs, named));
  if (output.isJson) output.document(record);
  else {
    output.line(inert(`${record.lensName} (${record.lens}), ${agoText(record.startedAt, Date.now())}`));
    const rows = record.steps.map((step) => [
      step.skill,
      step.state,
      step.cached ? `saved ${durationText(step.savedMs ?? 0)}` : durationText(step.durationMs),
      step.error?.message ?? (step.blockedBy === undefined ? '' : `waits for "${step.blockedBy}"`),
    ]);
    for (const line of columns(rows)) output.line(line);
    for (const { skill, error } of record.steps)
      if (error) for (const line of [...lastWords(skill, error), ...waysOutOf(error)]) output.line(line);
    for (const step of record.steps) for (const line of verdictLines(step)) output.line(inert(line));
    for (const step of record.steps)
      for (const line of spentLines(step)) output.line(inert(`${step.skill} ${line}`));
    for (const { sentence } of record.predictedVsActual) output.line(inert(sentence));
    output.line(summary(record));
  }
  return report === undefined
    ? ExitCode.ok
    : await writeReports(invocation, { records: [record], document: record }, report);
}

/** Says what differs between two runs. */
export async function runDiff(invocation: Invocation, first: string, second: string): Promise<ExitCode> {
  const { output } = invocation;
  await using session = await open(invocation);
  const [a, b] = [await findRun(session.runs, first), await findRun(session.runs, second)];
  const comparison = await session.runs.compare(a, b);
  if (output.isJson) output.document(comparison);
  else for (const line of comparisonLines(comparison)) output.line(inert(line));
  return ExitCode.ok;
}

/** Carries on a run that did not succeed. */
export async function runResume(invocation: Invocation, named: string, words: RunWords): Promise<ExitCode> {
  refuseTwoFormats(invocation, words);
  await requireTargets(invocation, words);
  const workspace = await CommandWorkspace.open(invocation);
  await using session = new CommandRuns(invocation, workspace, howToAsk(invocation, words));
  const run = await findRun(session.runs, named);
  const before = await session.runs.show(run);
  const { judgedBy } = before.request;
  const selection = await selectionOfFirst(session.runs, before);
  if (words.output !== undefined && !selection?.only)
    throw new InvalidArgumentError('--output takes the content of chosen skills, and this run has none');
  const teller = new RunTeller(invocation, {
    ...words,
    ...(judgedBy !== undefined && { validateWith: judgedBy }),
  });
  const alone = selection?.alone === true ? selection.only?.[0] : undefined;
  const isOutsideLenses = before.lens === workspace.top.file;
  const active = await session.runs.resume(run, {
    ...session.followedBy(teller),
    ...(alone !== undefined &&
      isOutsideLenses && { target: await resolveSkillById(invocation, workspace, alone) }),
  });
  const record = await active.done;
  const { exitCode } = await teller.finish(session.runs, record, stepsNamed(record, selection?.only));
  return exitCode;
}

/** What was chosen by whoever started it; a run that carries on one of what had failed names each of its steps. */
async function selectionOfFirst(runs: WorkspaceRuns, record: RunRecord): Promise<Selection | undefined> {
  let first = record;
  while (first.resumes !== undefined) {
    const before = await runs.show(first.resumes).catch(orRemoved);
    if (!before) break;
    first = before;
  }
  return first.request.selection;
}

/** Only so many runs are kept. */
function orRemoved(error: unknown): undefined {
  if (!(error instanceof StudioError && error.code === 'run.unknown')) throw error;
}

/** How a person overrides a verdict on the command line. */
export interface OverrideWords {
  readonly pass?: true;
  readonly fail?: true;
  readonly undo?: true;
  readonly note?: string;
}

/** Puts the user's word in place of a judge's, or takes it back. */
export async function runOverride(
  invocation: Invocation,
  [named, skill, judge]: readonly [run: string, skill: string, judge: string],
  { pass, fail, undo, note = '' }: OverrideWords,
): Promise<ExitCode> {
  if ([pass, fail, undo].filter(Boolean).length !== 1)
    throw new InvalidArgumentError('choose one of --pass, --fail and --undo');
  if (!undo && note.trim() === '') throw new InvalidArgumentError('say why with --note');
  const { output } = invocation;
  await using session = await open(invocation);
  const run = await findRun(session.runs, named);
  const outcome = undo ? null : pass ? 'pass' : 'fail';
  const record = await session.runs.override(run, { skill, judge, outcome, note });
  if (output.isJson) output.document(record);
  else {
    const step = record.steps.find((other) => other.skill === skill || other.id === skill)!;
    for (const line of verdictLines(step)) output.line(inert(line));
  }
  return ExitCode.ok;
}

/** Writes a run as one HTML file. */
export async function runExport(
  invocation: Invocation,
  named: string,
  { html }: { html: string },
): Promise<ExitCode> {
  const { terminal, output } = invocation;
  await using session = await open(invocation);
  const run = await findRun(session.runs, named);
  const page = await session.runs.exportHtml(run, terminal.machine.environment);
  await writeNamedFile(terminal, html, page.html);
  if (output.isJson) output.document({ run, file: html });
  else output.note(inert(`Written: ${html}`));
  return exitCodes.succeeded;
}

async function open(invocation: Invocation, how?: AskHow): Promise<CommandRuns> {
  return new CommandRuns(invocation, await CommandWorkspace.open(invocation), how);
}

/** The run that an id, the beginning of one, or "last" means. */
export async function findRun(runs: WorkspaceRuns, named: string): Promise<RunId> {
  const exact = RunIdSchema.safeParse(named);
  // Not by the list: a run beside it that cannot be read would keep it from being shown.
  if (exact.success && timeOfRun(named) !== undefined) return exact.data;
  const known = await runs.list({ limit: mostListed });
  if (named === 'last' && known[0]) return known[0].runId;
  // Every id begins with nothing: a variable that is not set must not mean the only run there is.
  const found = named === '' ? [] : known.filter(({ runId }: RunSummary) => runId.startsWith(named));
  if (found.length === 1) return found[0]!.runId;
  if (exact.success && found.length === 0) return exact.data;
  const why = found.length === 0 ? 'the workspace has none' : 'several begin like this';
  throw new StudioError('run.unknown', `Cannot find run "${named}": ${why}, see "sunwell run list"`, {
    run: named,
  });
}

function comparisonLines({ a, b, steps }: RunComparison): string[] {
  const lines = [`${a.runId} (${a.status}) → ${b.runId} (${b.status})`];
  for (const { skill, a: before, b: after, differences } of steps) {
    if (differences.length === 0 && before?.state === after?.state) continue;
    const side = (step: typeof before): string =>
      step ? `${step.state} ${durationText(step.durationMs)}` : 'absent';
    lines.push(`${skill}: ${side(before)} → ${side(after)}`);
    for (const { what, subject, sentence, before: old, after: now } of differences) {
      const change = what === 'definition' ? '' : `: ${old ?? 'none'} → ${now ?? 'none'}`;
      lines.push(`  ${sentence ?? `${what}${subject === '' ? '' : ` ${subject}`}${change}`}`);
    }
  }
  if (lines.length === 1) lines.push('The two runs did the same');
  return lines;
}
