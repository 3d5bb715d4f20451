import { judgedBy } from '#engine/plan/judged-by.ts';
import type { ResolvedSkill } from '#engine/resolve/nodes.ts';
import { StudioError, type ErrorCode } from '#shared/errors.ts';
import type { Plan, Reason } from '#shared/model/plan.ts';
import type { RunRequest } from '#shared/model/run.ts';
import type { ExitCode } from '../exit-code.ts';
import { resolveNamed } from '../find-lens.ts';
import { findSkill } from '../find-skill.ts';
import type { Invocation } from '../invocation.ts';
import { reasonText } from '../plan-lines.ts';
import { noteProblems } from '../problem-note.ts';
import { requireTargets } from '../report/write-reports.ts';
import { howToAsk } from '../run/model-words.ts';
import { CommandRuns } from '../run/open-runs.ts';
import { refuseTwoFormats, runRequest, type StepWords } from '../run/run-words.ts';
import { RunTeller } from '../run/tell-run.ts';

/** Runs one skill without what it depends on, whatever the cache says; tells and keeps it as every run. */
export async function exec(invocation: Invocation, named: string, words: StepWords): Promise<ExitCode> {
  refuseTwoFormats(invocation, words);
  await requireTargets(invocation, words);
  const found = await findSkill(invocation, named);
  const { skill, workspace } = found;
  const judge =
    words.validateWith === undefined ? undefined : await resolveNamed(invocation, words.validateWith);
  if (judge) noteProblems(invocation, judge.resolution);
  const resolution = judge ? judgedBy(found.resolution, judge.resolution) : found.resolution;
  const request: RunRequest = {
    ...(await runRequest(invocation, [skill], words)),
    force: true,
    selection: { only: [skill.id], alone: true },
    ...(judge && { judgedBy: workspace.source(judge.source.path).file }),
  };
  await using session = new CommandRuns(invocation, workspace, howToAsk(invocation, words));
  refuseBlocked(skill, await session.runs.plan(resolution, request));
  const teller = new RunTeller(invocation, words);
  const active = await session.runs.start(resolution, request, session.followedBy(teller));
  const record = await active.done;
  const { exitCode } = await teller.finish(session.runs, record, record.steps);
  return exitCode;
}

/** A skill that cannot run is no run of it: refused before there is one. */
function refuseBlocked({ name, id }: ResolvedSkill, { decisions }: Plan): void {
  const [step] = decisions;
  if (step?.decision !== 'blocked') return;
  const { reasons } = step;
  const missing = reasons.filter((reason) => reason.id === 'needs-input').map(({ subject }) => subject);
  if (missing.length === reasons.length) {
    const listed = missing.map((key) => `"${key}"`).join(', ');
    throw new StudioError(
      'skill.missing-input',
      `Cannot run "${name}": give it ${listed} with --input or --input-file`,
      { skill: id, missing },
    );
  }
  const [first] = reasons.filter((reason) => reason.id !== 'needs-input');
  throw new StudioError(codeOf(first!), refusal(name, first!), { skill: id });
}

const codes: Readonly<Record<string, ErrorCode>> = {
  lens: 'lens.lacks-judges',
  model: 'skill.needs-model',
  network: 'sandbox.no-network',
  trust: 'trust.not-granted',
};

function codeOf({ subject }: Reason): ErrorCode {
  return codes[subject] ?? 'skill.incomplete';
}

/** What is said of trust is a whole sentence with the way out in it. */
function refusal(name: string, reason: Reason): string {
  if (reason.subject === 'trust') return reason.sentence;
  const sentence = reasonText(reason);
  return `Cannot run "${name}": ${sentence.startsWith('needs ') ? `it ${sentence}` : sentence}`;
}
