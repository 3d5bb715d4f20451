import { InvalidArgumentError } from 'commander';
import { StudioError } from '#shared/errors.ts';
import type { RunRecord } from '#shared/model/run.ts';
import { ExitCode } from '../exit-code.ts';
import type { Invocation } from '../invocation.ts';
import { inert } from '../terminal.ts';
import { replacedFile, requireWritable, writeNamedFile } from '../write-named-file.ts';
import { toMarkdown } from './to-markdown.ts';

const files = {
  junit: 'sunwell-report.xml',
  md: 'sunwell-report.md',
  json: 'sunwell-report.json',
} as const;
type ReportKind = keyof typeof files;

/** How each kind of report is made. */
export type ReportTexts = Readonly<Record<ReportKind, () => string | Promise<string>>>;

/** Refuses, before anything runs, reports that do not exist, and files that cannot be written or would replace each other. */
export async function requireTargets(
  { terminal }: Invocation,
  { report, output }: { readonly report?: string; readonly output?: string },
): Promise<void> {
  const reports = report === undefined ? [] : parseReports(report).map(({ file }) => file);
  const taken = new Set<string>();
  for (const file of [...reports, ...(output === undefined ? [] : [output])]) {
    const replaced = await replacedFile(terminal, file);
    if (replaced !== undefined && taken.has(replaced))
      throw new InvalidArgumentError(`two results would be written to "${file}": name a file for each`);
    if (replaced !== undefined) taken.add(replaced);
    await requireWritable(terminal, file);
  }
}

/** Writes the reports that `--report junit,md=out.md` names, into the working folder unless it names a file. */
export function writeReports(
  invocation: Invocation,
  { records, document }: { readonly records: readonly RunRecord[]; readonly document: object },
  wanted: string,
): Promise<Written> {
  return writeReportFiles(invocation, wanted, {
    junit: async () => (await import('./to-junit.ts')).toJunit(records),
    md: () => toMarkdown(records),
    json: () => `${JSON.stringify(document, null, 2)}\n`,
  });
}

/** The same for reports of anything else. */
export function writeReportFiles(
  invocation: Invocation,
  wanted: string,
  texts: ReportTexts,
): Promise<Written> {
  const { terminal, output } = invocation;
  const writes = parseReports(wanted).map(({ kind, file }) => async () => {
    await writeNamedFile(terminal, file, await texts[kind]());
    output.note(inert(`Report: ${file}`));
  });
  return writeAfterwards(invocation, writes);
}

/** How a command ends by what it wrote: failed where one of the files could not be written. */
export type Written = typeof ExitCode.ok | typeof ExitCode.failed;

/** Writes files about work that is done. What keeps one from being written is only said: the work must still be told. */
export async function writeAfterwards(
  { output }: Invocation,
  writes: readonly (() => Promise<void>)[],
): Promise<Written> {
  let exitCode: Written = ExitCode.ok;
  for (const write of writes) {
    try {
      await write();
    } catch (error) {
      if (!(error instanceof StudioError)) throw error;
      output.note(inert(error.message));
      exitCode = ExitCode.failed;
    }
  }
  return exitCode;
}

function parseReports(wanted: string): { kind: ReportKind; file: string }[] {
  return wanted.split(',').map((word) => {
    const [kind = '', ...rest] = word.trim().split('=');
    if (!Object.hasOwn(files, kind)) {
      throw new InvalidArgumentError(`"${kind}" is no report: write junit, md or json`);
    }
    const known = kind as ReportKind;
    const file = rest.length > 0 ? rest.join('=') : files[known];
    if (file.trim() === '')
      throw new InvalidArgumentError(`the report "${kind}=" has no file: write ${kind} or ${kind}=FILE`);
    return { kind: known, file };
  });
}
