import type { StudioError } from '#shared/errors.ts';
import { diagnosticTable } from '#shared/lens/diagnostics.ts';
import type { DiagnosticRow } from '#shared/lens/diagnostics.ts';
import type { Diagnostic, Location, QuickFix } from '#shared/model/diagnostic.ts';
import { judgedResults, judgedRules } from './judged-to-sarif.ts';
import type { ReportedFile } from './report.ts';
import { levels, uriOf } from './sarif-words.ts';

const codes = Object.keys(diagnosticTable);

/** The report as a SARIF 2.1.0 log, which code hosts and editors show at the lines it names. */
export function toSarif(
  files: readonly ReportedFile[],
  unreadable: readonly StudioError[],
  version: string,
): object {
  const judging = judgedRules(files);
  return {
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    version: '2.1.0',
    runs: [
      {
        tool: {
          driver: { name: 'Sunwell Studio', semanticVersion: version, rules: [...rules(), ...judging] },
        },
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
        results: files.flatMap((file) => [
          ...file.diagnostics.map(result),
          ...judgedResults(file).map(({ ruleId, ...told }) => ({
            ruleId,
            ruleIndex: codes.length + judging.findIndex(({ id }) => id === ruleId),
            ...told,
          })),
        ]),
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
