import { graphDocument, lensDocument } from '#engine/resolve/documents.ts';
import type { MergedLens } from '#engine/resolve/merge.ts';
import type { Resolution } from '#engine/resolve/resolve.ts';
import { labels } from '#shared/graph/labels.ts';
import { summarizeLens } from '#shared/lens/summary.ts';
import { waves } from '#shared/graph/waves.ts';
import type { DeterministicValidator, WorkflowStep } from '#shared/model/lens.ts';
import { countText } from '#shared/quantities.ts';
import { ExitCode } from '../exit-code.ts';
import { resolveNamed } from '../find-lens.ts';
import type { Invocation } from '../invocation.ts';
import { noteProblems } from '../problem-note.ts';
import { columns } from '../table.ts';
import { inert } from '../terminal.ts';
import type { Output } from '../terminal.ts';

/** Prints what a lens knows and does, for people; a library has only skills. */
export async function lensShow(invocation: Invocation, named: string): Promise<ExitCode> {
  const { output } = invocation;
  const { resolution } = await resolveNamed(invocation, named);
  if (output.isJson) {
    const [lens, graph] = [lensDocument(resolution), graphDocument(resolution)];
    output.document({ lens, graph, summary: summarizeLens(graph, lens) });
  } else {
    printHead(output, resolution);
    if (resolution.lens) printJudgment(output, resolution.lens);
    printSkills(output, resolution);
    printSummary(output, resolution);
  }
  noteProblems(invocation, resolution);
  return ExitCode.ok;
}

function printHead(output: Output, { lens, source }: Resolution): void {
  const { name, version, domain, description } = lens?.metadata ?? {};
  const title = [name ?? source.file, version].filter((part) => part !== undefined).join(' ');
  output.line(output.styled('bold', inert(title)) + (domain === undefined ? '' : inert(` · ${domain}`)));
  if (description !== undefined) output.line(oneLine(description));
  if (lens && lens.extended.length > 0) output.line(inert(`Extends ${lens.extended.join(', then ')}`));
}

function printJudgment(output: Output, lens: MergedLens): void {
  const { deterministic, heuristic } = lens.validators;
  printSection(
    output,
    'Heuristics',
    lens.heuristics.map(({ value }) => [value.name, value.rule ?? '']),
  );
  printSection(
    output,
    'Anti-heuristics',
    lens.antiHeuristics.map(({ value }) => [value.name, value.description ?? '']),
  );
  printSection(
    output,
    'Personas',
    lens.personas.map(({ value }) => [value.name, value.description ?? value.background ?? '']),
  );
  printSection(output, 'Validators', [
    ...deterministic.map(({ value }) => [value.name, value.severity ?? 'error', checkText(value)]),
    ...heuristic.map(({ value }) => [value.name, value.severity ?? 'warning', value.prompt ?? '']),
  ]);
  printSection(
    output,
    'Workflows',
    lens.workflows.map(({ value }) => [value.name, value.steps.map(stepText).join(' → ')]),
  );
  printSection(
    output,
    'Shortcuts',
    lens.shortcuts.map(({ value }) => [value.key, value.skill]),
  );
  printSection(
    output,
    'Inputs',
    lens.inputs.map(({ value }) => [value.name, value.description ?? '']),
  );
}

function printSkills(output: Output, { graph, skills }: Resolution): void {
  const placed = waves(graph);
  const label = labels(graph);
  const groups = placed.waves.map((nodes, i): [string, readonly number[]] => [`Wave ${i + 1}`, nodes]);
  if (placed.unplaced.length > 0) groups.push(['In or behind a cycle', placed.unplaced]);
  const rows = groups.flatMap(([title, nodes]) =>
    nodes.map((node, i) => [i === 0 ? title : '', label[node]!, skills[node]!.skill.description ?? '']),
  );
  printSection(output, 'Skills', rows);
  output.line('');
  output.line(`${countText(graph.size, 'skill')} in ${countText(placed.waves.length, 'wave')}`);
}

/** What the lists above do not say: what a run needs and what comes of it. */
function printSummary(output: Output, resolution: Resolution): void {
  const parts = summarizeLens(graphDocument(resolution), lensDocument(resolution));
  for (const { title, sentences } of parts) {
    if (title !== 'What it needs' && title !== 'What it delivers') continue;
    output.line('');
    output.line(output.styled('bold', title));
    for (const sentence of sentences) output.line(`  ${inert(sentence)}`);
  }
}

function printSection(output: Output, title: string, rows: readonly (readonly string[])[]): void {
  if (rows.length === 0) return;
  output.line('');
  output.line(output.styled('bold', title));
  for (const line of columns(rows.map((row) => row.map(oneLine)))) output.line(`  ${line}`);
}

/** What a validator without a model looks at, in a few words. */
function checkText(validator: DeterministicValidator): string {
  const { command, script, contains, notContains, matches, maxWords, jsonSchema } = validator;
  if (command !== undefined) return `runs ${command}`;
  if (script !== undefined) return `runs ${script}`;
  const checks = [
    ...(contains ? [`contains ${contains.join(', ')}`] : []),
    ...(notContains ? [`does not contain ${notContains.join(', ')}`] : []),
    ...(matches ? [`matches ${matches.join(', ')}`] : []),
    ...(maxWords === undefined ? [] : [`at most ${maxWords} words`]),
    ...(jsonSchema === undefined ? [] : ['fits its JSON Schema']),
  ];
  return checks.join(' and ');
}

function stepText(step: WorkflowStep): string {
  if (step.kind === 'skill') return step.skill;
  return step.kind === 'parallel' ? `(${step.steps.map(stepText).join(' + ')})` : (step.name ?? step.action);
}

const longest = 100;

function oneLine(text: string): string {
  const words = inert(text.replace(/\s+/g, ' ').trim());
  return words.length > longest ? `${words.slice(0, longest - 1)}…` : words;
}
