import { diagnosticTable } from './diagnostics.ts';
import type { DiagnosticRow } from './diagnostics.ts';

/** The help page of all diagnostics, generated from their table. */
export function diagnosticsPage(): string {
  const lines = [
    '# Diagnostics',
    '',
    'Every problem the studio and `sunwell validate` can report in a file, by its stable code.',
    'Errors make `sunwell validate` exit with 1; warnings and infos do not.',
    'This page is generated from `shared/lens/diagnostics.ts`; run `UPDATE=1 npm run drift` after a change.',
  ];
  let area = '';
  for (const [code, row] of Object.entries<DiagnosticRow>(diagnosticTable)) {
    const ownArea = code.slice(0, code.indexOf('.'));
    if (ownArea !== area) lines.push('', `## ${ownArea}`);
    area = ownArea;
    lines.push(
      '',
      `### \`${code}\``,
      '',
      `**${row.severity}.** ${markdown(row.explanation)}`,
      '',
      markdown(row.wayOut),
    );
  }
  return `${lines.join('\n')}\n`;
}

/** Quoted parts become code, so that Markdown cannot read `__proto__` as bold. */
function markdown(sentence: string): string {
  return sentence.replace(/"([^"]+)"/g, '`$1`');
}
