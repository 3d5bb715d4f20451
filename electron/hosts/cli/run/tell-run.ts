import type { WorkspaceRuns } from '#engine/run/workspace-runs.ts';
import { cleanTerminalText } from '#engine/sandbox/terminal-text.ts';
import type { RunEvent } from '#shared/model/event.ts';
import type { Reason } from '#shared/model/plan.ts';
import type { ReviewFile, RunRecord, StepRecord } from '#shared/model/run.ts';
import { bytesText } from '#shared/quantities.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { inert, jsonLine } from '../terminal.ts';
import { writeAfterwards, writeReports, type Written } from '../report/write-reports.ts';
import { writeNamedFile } from '../write-named-file.ts';
import { RunPrinter } from './run-printer.ts';
import { nothingLeft, summary } from './run-summary.ts';
import type { StepWords } from './run-words.ts';
import { takeProposals, type TakenProposals } from './take-proposals.ts';

export const exitCodes: Readonly<Record<RunRecord['status'], ExitCode>> = {
  running: ExitCode.failed,
  succeeded: ExitCode.ok,
  failed: ExitCode.failed,
  interrupted: ExitCode.failed,
  cancelled: ExitCode.cancelled,
};

/** How a run ended that was told. */
export interface Told {
  readonly exitCode: ExitCode;
  /** With the files that were written into the workspace. */
  readonly record: RunRecord;
  /** As `--json` prints it. */
  readonly document: object;
}

/** Tells a run while it goes on, and what came of it. */
export class RunTeller {
  readonly #invocation: Invocation;
  readonly #words: StepWords;
  readonly #isPart: boolean;
  readonly #printer: RunPrinter | undefined;

  /** A part of something, such as a workflow, prints no document of its own. */
  constructor(invocation: Invocation, words: StepWords, { isPart = false } = {}) {
    this.#invocation = invocation;
    this.#words = words;
    this.#isPart = isPart;
    const { output, terminal } = invocation;
    const isForMachines = words.jsonStream ?? output.isJson;
    this.#printer = isForMachines
      ? undefined
      : new RunPrinter({
          output,
          stream: terminal.stderr,
          withLogs: words.quiet !== true,
          withPasses: words.validateWith !== undefined,
        });
  }

  readonly take = (event: RunEvent): void => {
    if (this.#words.jsonStream) this.#invocation.terminal.stdout.write(`${jsonLine(event)}\n`);
    this.#printer?.take(event);
  };

  /** Writes and prints what the user asked for; `wanted` are the skills whose content is the result. */
  async finish(runs: WorkspaceRuns, record: RunRecord, wanted: readonly StepRecord[]): Promise<Told> {
    const { output, terminal } = this.#invocation;
    const { write, dryRun, jsonStream } = this.#words;
    this.#printer?.end();
    const taken = await takeProposals(runs, record, this.#words);
    const { review, problems } = taken;
    const final: RunRecord = { ...record, artifactsApplied: [...taken.applied] };
    const written = await this.#writeFiles(final, wanted);
    const { diffsOf, withDiffs } = dryRun ? await import('./review-diff.ts') : {};
    const document = withDiffs ? withDiffs(final, review) : final;
    if (!jsonStream && !output.isJson) this.#print(final, wanted, taken, diffsOf?.(review, terminal.stdout));
    else for (const problem of problems) output.note(inert(problem));
    if (output.isJson && !jsonStream && !this.#isPart) output.document(document);
    const isRefused = problems.length > 0 && (write ?? dryRun) === true;
    const proposed = isRefused ? ExitCode.failed : ExitCode.ok;
    return { exitCode: exitCodes[record.status] || written || proposed, record: final, document };
  }

  #print(
    record: RunRecord,
    wanted: readonly StepRecord[],
    { review, problems }: TakenProposals,
    diffs: string | undefined,
  ): void {
    const { output, terminal } = this.#invocation;
    const { dryRun, write } = this.#words;
    for (const { sentence } of record.predictedVsActual) output.note(inert(sentence));
    for (const file of review)
      output.note(inert(proposedLine(file, record.artifactsApplied.includes(file.path))));
    for (const problem of problems) output.note(inert(problem));
    if (diffs !== undefined) terminal.stdout.write(diffs);
    else if (this.#words.output === undefined) {
      for (const { content = '' } of wanted)
        if (content !== '') output.line(cleanTerminalText(content).trimEnd());
    }
    const isOpen = review.some(({ operation }) => operation !== 'none' && operation !== 'unknown');
    if (isOpen && !write && !dryRun) output.note('See the changes with --dry-run, apply them with --write');
    for (const wayOut of waysOut(record)) output.note(wayOut);
    output.note(nothingLeft(record.request.selection, record.steps.length) ?? summary(record));
  }

  async #writeFiles(record: RunRecord, wanted: readonly StepRecord[]): Promise<Written> {
    const { output, report } = this.#words;
    const content = output === undefined ? ExitCode.ok : await writeContent(this.#invocation, output, wanted);
    const reports =
      report === undefined
        ? ExitCode.ok
        : await writeReports(this.#invocation, { records: [record], document: record }, report);
    return content || reports;
  }
}

const shownOperations = { none: 'same', unknown: '?' } as const;

/** `proposed  create  docs/a.md (12 B)`. */
function proposedLine({ path, operation, bytes, becomesExecutable }: ReviewFile, isApplied: boolean): string {
  const what = operation === 'none' || operation === 'unknown' ? shownOperations[operation] : operation;
  const size = bytes === undefined ? '' : ` (${bytesText(bytes)})`;
  const mode = becomesExecutable ? ', becomes executable' : '';
  return `${isApplied ? 'written ' : 'proposed'}  ${what.padEnd(6)}  ${path}${size}${mode}`;
}

/** The steps that were asked for by these names or ids, without those that they only need. */
export function stepsNamed({ steps }: RunRecord, names: readonly string[] = []): StepRecord[] {
  return steps.filter(({ skill, id }) => names.includes(skill) || names.includes(id));
}

/** Writes what these steps say into a file, which stays as it is where none of them came to a result. */
export function writeContent(
  invocation: Invocation,
  file: string,
  steps: readonly StepRecord[],
): Promise<Written> {
  const content = contentOf(steps);
  if (content !== undefined)
    return writeAfterwards(invocation, [() => writeNamedFile(invocation.terminal, file, content)]);
  const states = steps.map(({ skill, state }) => `"${skill}" (${state})`);
  const of = states.join(', ') || 'a chosen skill';
  invocation.output.note(inert(`Nothing written to "${file}": there is no result of ${of}`));
  return Promise.resolve(ExitCode.ok);
}

/** Each on lines of its own; undefined where none of them came to a result. */
function contentOf(steps: readonly StepRecord[]): string | undefined {
  const results = steps.filter(({ resultDigest }) => resultDigest !== undefined);
  if (results.length === 0) return undefined;
  const contents = results.flatMap(({ content = '' }) => (content === '' ? [] : [content]));
  return contents.map((text, i) => (i < contents.length - 1 ? text.replace(/\n?$/, '\n') : text)).join('');
}

/** How to do on the command line what blocked steps ask for, each way once. */
function waysOut({ plan }: RunRecord): string[] {
  const asksFor = (what: (reason: Reason) => boolean): boolean =>
    plan.decisions.some(({ reasons }) => reasons.some(what));
  return [
    ...(asksFor(({ id }) => id === 'needs-input')
      ? ['Values are given when a run is started: --input KEY=VALUE or --input-file KEY=PATH']
      : []),
    ...(asksFor(({ id, subject }) => id === 'problem' && subject === 'model')
      ? ['Models are set up in config.yaml; --manual and --replay FILE do without one']
      : []),
  ];
}
