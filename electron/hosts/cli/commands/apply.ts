import { StudioError } from '#shared/errors.ts';
import type { Selection } from '#shared/model/plan.ts';
import type { Resolution } from '#engine/resolve/resolve.ts';
import { InvalidArgumentError } from 'commander';
import type { ExitCode } from '../exit-code.ts';
import { findLens } from '../find-lens.ts';
import type { Invocation } from '../invocation.ts';
import { noteProblems } from '../problem-note.ts';
import { requireTargets } from '../report/write-reports.ts';
import { CommandRuns } from '../run/open-runs.ts';
import { howToAsk } from '../run/model-words.ts';
import { refuseTwoFormats, runRequest } from '../run/run-words.ts';
import type { RunWords } from '../run/run-words.ts';
import { RunTeller, stepsNamed } from '../run/tell-run.ts';
import { inert } from '../terminal.ts';

export interface ApplyWords extends RunWords {
  readonly skill?: readonly string[];
  readonly from?: readonly string[];
  readonly to?: readonly string[];
  readonly failed?: true;
  readonly stale?: true;
  readonly all?: true;
}

/** Runs a lens: the named skills with what they need, the one that fits the task, or all of them. */
export async function apply(
  invocation: Invocation,
  named: string,
  task: string | undefined,
  words: ApplyWords,
): Promise<ExitCode> {
  const { output } = invocation;
  refuseTwoFormats(invocation, words);
  await requireTargets(invocation, words);
  const { workspace, kind, source } = await findLens(invocation, named);
  await using session = new CommandRuns(invocation, workspace, howToAsk(invocation, words));
  await session.prepareSandbox();
  const resolution = await workspace.resolve(kind, source);
  const selection = await select(resolution, named, task, words);
  if (words.output !== undefined && !selection?.only)
    throw new InvalidArgumentError('--output takes the content of chosen skills: choose them with --skill');
  const request = {
    ...(await runRequest(invocation, resolution.skills, { ...words, ...(task !== undefined && { task }) })),
    ...(selection && { selection }),
  };
  if (selection?.only && !words.skill)
    output.note(inert(`Chose "${selection.only.join('", "')}" for this task`));
  noteProblems(invocation, resolution);
  const teller = new RunTeller(invocation, words);
  const active = await session.runs.start(resolution, request, session.followedBy(teller));
  const record = await active.done;
  const { exitCode } = await teller.finish(session.runs, record, stepsNamed(record, selection?.only));
  return exitCode;
}

/** Undefined for the whole graph. */
async function select(
  resolution: Resolution,
  named: string,
  task: string | undefined,
  { skill, from, to, failed, stale, all }: ApplyWords,
): Promise<Selection | undefined> {
  const asked: Selection = {
    ...(skill && { only: [...skill] }),
    ...(from && { from: [...from] }),
    ...(to && { to: [...to] }),
    ...(failed && { failed }),
    ...(stale && { stale }),
  };
  const isAsked = Object.keys(asked).length > 0;
  if (isAsked && all)
    throw new InvalidArgumentError('--all means the whole graph: leave the other choices out');
  if (isAsked) return asked;
  if (all || task === undefined) return undefined;
  return { only: [await fitting(resolution, named, task)] };
}

/** The skill that clearly fits the task best; a guess between two is left to the user. */
async function fitting(resolution: Resolution, named: string, task: string): Promise<string> {
  if (task.trim() === '') throw noFit(named, 'it is empty', { task, candidates: [] });
  const [{ matchLens }, { clearMatch }] = await Promise.all([
    import('#engine/agent-skills/match-lens.ts'),
    import('#shared/agent-skills/match.ts'),
  ]);
  const matches = matchLens(resolution, task);
  const clear = clearMatch(matches);
  if (clear) return clear.skill;
  const [best, second] = matches;
  const hint = best
    ? `"${best.skill}" and "${second!.skill}" fit about as well`
    : 'no skill fits by its words';
  throw noFit(named, hint, { task, candidates: matches.map(({ skill }) => skill) });
}

function noFit(named: string, why: string, details: Readonly<Record<string, unknown>>): StudioError {
  return new StudioError(
    'graph.unknown-skill',
    `Cannot choose a skill of "${named}" for this task: ${why}; name one with --skill, or run all with --all`,
    details,
  );
}
