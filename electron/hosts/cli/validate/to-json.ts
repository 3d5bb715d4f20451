import type { Judged } from '#engine/judge/judge.ts';
import type { Overall } from '#shared/judgment/overall.ts';
import type { QuickFix, Severity } from '#shared/model/diagnostic.ts';
import type { Verdict } from '#shared/model/verdict.ts';
import { countOf } from './report.ts';
import type { ReportedFile, ReportedKind } from './report.ts';

/** What a lens says about a text, as documents tell it. */
export interface JudgedDocument {
  readonly outcome: Overall['outcome'];
  /** What keeps it from passing, one sentence each. */
  readonly why: readonly string[];
  readonly verdicts: readonly Verdict[];
}

export function toJudgedDocument({ verdicts, overall: { outcome, why } }: Judged): JudgedDocument {
  return { outcome, why, verdicts };
}

/** What `sunwell validate --format json` prints. */
export interface ValidateDocument {
  readonly files: readonly (Partial<JudgedDocument> & {
    readonly file: string;
    readonly kind: ReportedKind;
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
  })[];
  readonly errors: number;
  readonly warnings: number;
}

export function toValidateDocument(files: readonly ReportedFile[]): ValidateDocument {
  return {
    files: files.map(({ file, kind, diagnostics, judged }) => ({
      file,
      kind,
      diagnostics: diagnostics.map(({ code, severity, message, location, fixes }) => {
        const { line, column, endLine, endColumn } = location;
        const fix = fixes?.[0];
        return { code, severity, message, line, column, endLine, endColumn, ...(fix ? { fix } : {}) };
      }),
      ...(judged && toJudgedDocument(judged)),
    })),
    errors: countOf(files, 'error'),
    warnings: countOf(files, 'warning'),
  };
}
