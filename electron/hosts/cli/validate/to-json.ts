import type { QuickFix, Severity } from '#shared/model/diagnostic.ts';
import type { FileKind } from '../kind-by-name.ts';
import { countOf } from './report.ts';
import type { ReportedFile } from './report.ts';

/** What `sunwell validate --format json` prints. */
export interface ValidateDocument {
  readonly files: readonly {
    readonly file: string;
    readonly kind: FileKind;
    readonly diagnostics: readonly {
      readonly code: string;
      readonly severity: Severity;
      readonly message: string;
      readonly line: number;
      readonly column: number;
      readonly endLine: number;
      readonly endColumn: number;
      readonly fix?: QuickFix;
    }[];
  }[];
  readonly errors: number;
  readonly warnings: number;
}

export function toValidateDocument(files: readonly ReportedFile[]): ValidateDocument {
  return {
    files: files.map(({ file, kind, diagnostics }) => ({
      file,
      kind,
      diagnostics: diagnostics.map(({ code, severity, message, location, fixes }) => {
        const { line, column, endLine, endColumn } = location;
        const fix = fixes?.[0];
        return { code, severity, message, line, column, endLine, endColumn, ...(fix ? { fix } : {}) };
      }),
    })),
    errors: countOf(files, 'error'),
    warnings: countOf(files, 'warning'),
  };
}
