import { InvalidArgumentError } from 'commander';
import type { RunRecord } from '#shared/model/run.ts';
import type { Invocation } from '../invocation.ts';
import { writeNamedFile } from '../write-named-file.ts';
import { toMarkdown } from './to-markdown.ts';

const files = {
  junit: 'sunwell-report.xml',
  md: 'sunwell-report.md',
  json: 'sunwell-report.json',
} as const;
type ReportKind = keyof typeof files;

/** How each kind of report is made. */
export type ReportTexts = Readonly<Record<ReportKind, () => string | Promise<string>>>;

/** Writes the reports that `--report junit,md=out.md` names, into the working folder unless it names a file. */
export async function writeReports(invocation: Invocation, record: RunRecord, wanted: string): Promise<void> {
  await writeReportFiles(invocation, wanted, {
    junit: async () => (await import('./to-junit.ts')).toJunit(record),
    md: () => toMarkdown(record),
    json: () => `${JSON.stringify(record, null, 2)}\n`,
  });
}

/** The same for reports of anything else. */
export async function writeReportFiles(
  { terminal, output }: Invocation,
  wanted: string,
  texts: ReportTexts,
): Promise<void> {
  for (const { kind, file } of parseReports(wanted)) {
    await writeNamedFile(terminal, file, await texts[kind]());
    output.note(`Report: ${file}`);
  }
}

/** Refuses kinds that do not exist before anything runs. */
export function parseReports(wanted: string): { kind: ReportKind; file: string }[] {
  return wanted.split(',').map((word) => {
    const [kind = '', ...rest] = word.trim().split('=');
    if (!Object.hasOwn(files, kind)) {
      throw new InvalidArgumentError(`"${kind}" is no report: write junit, md or json`);
    }
    const known = kind as ReportKind;
    return { kind: known, file: rest.length > 0 ? rest.join('=') : files[known] };
  });
}
