import type { Diagnostic, Location } from '../model/diagnostic.ts';
import { diagnostic } from './diagnostics.ts';
import type { DiagnosticCode, DiagnosticExtras } from './diagnostics.ts';

/** How many problems of one file are listed; a file with more is broken as a whole. */
export const maxDiagnostics = 1000;

/** The problems of one file, bounded so that hostile text cannot fill the memory. */
export class Problems {
  readonly #diagnostics: Diagnostic[] = [];

  get isFull(): boolean {
    return this.#diagnostics.length >= maxDiagnostics;
  }

  get diagnostics(): Diagnostic[] {
    return this.#diagnostics;
  }

  add(code: DiagnosticCode, location: Location, message: string, extras?: DiagnosticExtras): void {
    if (this.isFull) return;
    if (this.#diagnostics.length === maxDiagnostics - 1) {
      const hint = 'More problems follow; correct the first ones and check again';
      this.#diagnostics.push(diagnostic('yaml.too-many-problems', location, hint));
      return;
    }
    this.#diagnostics.push(diagnostic(code, location, message, extras));
  }
}

/** Shortens a value for a message, so that a whole file cannot end up in one line. */
export function quote(value: string): string {
  return value.length > 60 ? `"${value.slice(0, 59)}…"` : `"${value}"`;
}
