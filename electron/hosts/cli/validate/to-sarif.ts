import { isAbsolute } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { StudioError } from '#shared/errors.ts';
import { diagnosticTable } from '#shared/lens/diagnostics.ts';
import type { DiagnosticRow } from '#shared/lens/diagnostics.ts';
import type { Diagnostic, Location, QuickFix, Severity } from '#shared/model/diagnostic.ts';
import type { ReportedFile } from './report.ts';

const levels: Readonly<Record<Severity, string>> = { error: 'error', warning: 'warning', info: 'note' };
const codes = Object.keys(diagnosticTable);

/** The report as a SARIF 2.1.0 log, which code hosts and editors show at the lines it names. */
export function toSarif(
  files: readonly ReportedFile[],
  unreadable: readonly StudioError[],
  version: string,
): object {
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Sunwell Studio', semanticVersion: version, rules: rules() } },
        invocations: [
          {
            executionSuccessful: unreadable.length === 0,
            toolExecutionNotifications: unreadable.map(({ code, message }) => ({
              level: 'error',
              message: { text: message },
              descriptor: { id: code },
            })),
          },
        ],
        columnKind: 'utf16CodeUnits',
        artifacts: files.map(({ file }) => ({ location: { uri: uriOf(file) } })),
        results: files.flatMap(({ diagnostics }) => diagnostics.map(result)),
      },
    ],
  };
}

function rules(): object[] {
  return Object.entries<DiagnosticRow>(diagnosticTable).map(([id, { severity, explanation, wayOut }]) => ({
    id,
    shortDescription: { text: explanation },
    help: { text: wayOut },
    defaultConfiguration: { level: levels[severity] },
  }));
}

function result({ code, severity, message, location, related, fixes }: Diagnostic): object {
  return {
    ruleId: code,
    ruleIndex: codes.indexOf(code),
    level: levels[severity],
    message: { text: message },
    locations: [place(location)],
    ...(related && {
      relatedLocations: related.map((other, id) => ({
        id,
        ...place(other.location),
        message: { text: other.message },
      })),
    }),
    ...(fixes && { fixes: fixes.map(fixOf) }),
  };
}

function place({ file, line, column, endLine, endColumn }: Location): object {
  return {
    physicalLocation: {
      artifactLocation: { uri: uriOf(file) },
      region: { startLine: line, startColumn: column, endLine, endColumn },
    },
  };
}

function fixOf({ title, edits }: QuickFix): object {
  const files = [...new Set(edits.map(({ file }) => file))];
  return {
    description: { text: title },
    artifactChanges: files.map((file) => ({
      artifactLocation: { uri: uriOf(file) },
      replacements: edits
        .filter((edit) => edit.file === file)
        .map(({ start, end, text }) => ({
          deletedRegion: { charOffset: start, charLength: end - start },
          ...(text === '' ? {} : { insertedContent: { text } }),
        })),
    })),
  };
}

/** A relative name stays relative, so that the log means the same on another machine. */
function uriOf(file: string): string {
  if (isAbsolute(file)) return pathToFileURL(file).href;
  if (file.startsWith('fount://')) return encodeURI(file);
  return file.split(/[\\/]/).map(encodeURIComponent).join('/');
}
