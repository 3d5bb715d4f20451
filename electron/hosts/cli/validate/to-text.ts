import { diagnosticTable } from '#shared/lens/diagnostics.ts';
import type { DiagnosticRow } from '#shared/lens/diagnostics.ts';
import type { Diagnostic, Severity } from '#shared/model/diagnostic.ts';
import { countText } from '#shared/quantities.ts';
import { verdictLines } from '../run/verdict-lines.ts';
import { inert } from '../terminal.ts';
import type { Output, Style } from '../terminal.ts';
import { countOf } from './report.ts';
import type { ReportedFile } from './report.ts';

const styles: Readonly<Record<Severity, Style>> = { error: 'red', warning: 'yellow', info: 'cyan' };
const widest = 110;

/** Prints the problems for people: one line each, on a terminal with the source line, the way out, and a summary. */
export function printReport(
  output: Output,
  files: readonly ReportedFile[],
  textOf: ReadonlyMap<string, string>,
): void {
  for (const { file, diagnostics, judged } of files) {
    const lines = textOf.get(file)?.split(/\r\n|\r|\n/);
    for (const diagnostic of diagnostics) printDiagnostic(output, diagnostic, lines);
    for (const line of judged ? verdictLines({ skill: file, ...judged }) : []) output.line(inert(line));
  }
  output.line(summary(files));
}

function printDiagnostic(output: Output, diagnostic: Diagnostic, lines: readonly string[] | undefined): void {
  const { code, severity, message, location } = diagnostic;
  const place = output.styled('bold', inert(`${location.file}:${location.line}:${location.column}`));
  output.line(`${place} ${output.styled(styles[severity], severity)} ${code} ${inert(message)}`);
  const source = lines?.[location.line - 1];
  if (source !== undefined)
    for (const line of frame(source, diagnostic)) output.line(output.styled('dim', line));
  // What is only worth knowing needs no instruction: a file may have hundreds of these.
  if (severity !== 'info')
    output.line(`    ${(diagnosticTable as Readonly<Record<string, DiagnosticRow>>)[code]?.wayOut}`);
}

/** The line of the problem with a mark under it; a long line is shown around the mark. */
function frame(source: string, { location }: Diagnostic): string[] {
  const start = location.column - 1;
  const end = location.endLine === location.line ? location.endColumn - 1 : source.length;
  const from = start > widest - 20 ? start - 20 : 0;
  const shown = inertInPlace(source.slice(from, from + widest));
  const width = Math.max(1, Math.min(end, from + widest) - start);
  return [`    ${shown}`, `    ${' '.repeat(start - from)}${'^'.repeat(width)}`];
}

/** Keeps the width, so that the mark stays under its place. */
function inertInPlace(text: string): string {
  return text.replace(/\t/g, ' ').replace(/[\p{Cc}\p{Cf}]/gu, '\uFFFD');
}

function summary(files: readonly ReportedFile[]): string {
  const errors = countOf(files, 'error');
  const warnings = countOf(files, 'warning');
  const infos = countOf(files, 'info');
  const found = [
    ...(errors > 0 ? [countText(errors, 'error')] : []),
    ...(warnings > 0 ? [countText(warnings, 'warning')] : []),
    ...(infos > 0 ? [countText(infos, 'note')] : []),
  ];
  return `${found.length === 0 ? 'No problems' : found.join(', ')} in ${countText(files.length, 'file')}`;
}
