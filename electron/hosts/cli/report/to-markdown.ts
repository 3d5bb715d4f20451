import { spentLines } from '#shared/cost-text.ts';
import { bytesText, countText, durationText } from '#shared/quantities.ts';
import type { RunRecord, StepRecord } from '#shared/model/run.ts';
import {
  evidenceText,
  overallOf,
  overallText,
  refinementText,
  verdictText,
} from '#shared/judgment/verdict-words.ts';
import { plainText as text } from './plain-text.ts';

/** Runs as a Markdown page for a pull request or a job summary, one after the other. */
export function toMarkdown(records: readonly RunRecord[]): string {
  return records.map(pageOf).join('\n');
}

function pageOf(record: RunRecord): string {
  const { steps } = record;
  const saved = steps.reduce((sum, { savedMs = 0 }) => sum + savedMs, 0);
  const facts = [
    `${countText(steps.length, 'skill')} in ${durationText(record.durationMs)}`,
    `${steps.filter(({ state }) => state === 'ran').length} ran`,
    `${steps.filter(({ cached }) => cached).length} from the cache${saved > 0 ? `, saving ${durationText(saved)}` : ''}`,
  ];
  return [
    `# ${text(record.lensName)}: ${record.status}`,
    '',
    `${facts.join(', ')}. Run \`${record.runId}\`.`,
    '',
    '| Skill | State | Time | Why |',
    '| --- | --- | ---: | --- |',
    ...steps.map((step) => row(step, record)),
    ...section('Failures', steps.flatMap(failure)),
    ...section('Verdicts', steps.flatMap(verdicts)),
    ...section('Models', steps.flatMap(spent)),
    ...section('Proposed files', steps.flatMap(artifacts)),
    ...section(
      'Otherwise than planned',
      record.predictedVsActual.map(({ sentence }) => `- ${text(sentence)}`),
    ),
    ...section(
      'Warnings',
      record.warnings.map((warning) => `- ${text(warning)}`),
    ),
    '',
  ].join('\n');
}

function row(step: StepRecord, { plan }: RunRecord): string {
  const planned = plan.decisions.find(({ id }) => id === step.id);
  const why =
    step.blockedBy === undefined ? (planned?.reasons[0]?.sentence ?? '') : `blocked by ${step.blockedBy}`;
  return `| ${text(step.skill)} | ${step.state} | ${durationText(step.durationMs)} | ${text(why)} |`;
}

function failure({ skill, error }: StepRecord): string[] {
  if (!error) return [];
  const stderr = error.stderr?.trimEnd().split('\n').slice(-20).join('\n') ?? '';
  const head = `- **${text(skill)}**: ${text(error.message)}`;
  const waysOut = (error.waysOut ?? []).map(({ sentence }) => `  - ${text(sentence)}`);
  return [head, ...(stderr === '' ? [] : ['', ...fenced(stderr), '']), ...waysOut];
}

/** Longer than any fence inside: what a script printed must not end the block. */
function fenced(lines: string): string[] {
  const longest = Math.max(2, ...[...lines.matchAll(/`+/g)].map(([ticks]) => ticks.length));
  const fence = '`'.repeat(longest + 1);
  return [`  ${fence}text`, ...lines.split('\n').map((line) => `  ${line}`), `  ${fence}`];
}

function verdicts(step: StepRecord): string[] {
  const { skill, verdicts: all, refinement } = step;
  const overall = overallOf(step);
  const refined = refinement ? refinementText(refinement) : '';
  return [
    ...(overall ? [`- **${text(skill)}** ${text(overallText(overall))}`] : []),
    ...all.flatMap((verdict) => [
      `- ${text(skill)} · ${text(verdict.judge)}: ${verdictText(verdict)}, ${text(verdict.message)}`,
      ...(verdict.override ? [`  - their note: ${text(verdict.override.note)}`] : []),
      ...(verdict.evidence ?? []).map((evidence) => `  - ${text(evidenceText(evidence))}`),
      ...(verdict.questions ?? []).map((question) => `  - asks: ${text(question)}`),
    ]),
    ...(refined === '' ? [] : [`- ${text(skill)} · ${text(refined)}`]),
  ];
}

function spent(step: StepRecord): string[] {
  return spentLines(step).map((line) => `- ${text(step.skill)} · ${text(line)}`);
}

function artifacts({ skill, artifacts: all }: StepRecord): string[] {
  return all.map(
    ({ path, operation, bytes }) =>
      `- ${operation} \`${path.replaceAll('`', "'")}\`${bytes === undefined ? '' : ` (${bytesText(bytes)})`} by ${text(skill)}`,
  );
}

function section(title: string, lines: readonly string[]): string[] {
  return lines.length === 0 ? [] : ['', `## ${title}`, '', ...lines];
}
