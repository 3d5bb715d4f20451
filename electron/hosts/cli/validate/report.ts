import type { Judged } from '#engine/judge/judge.ts';
import type { SourceFile } from '#engine/resolve/place.ts';
import { compareText } from '#shared/graph/compare-text.ts';
import type { Diagnostic, Location, Severity } from '#shared/model/diagnostic.ts';
import type { CommandWorkspace } from '../command-workspace.ts';
import { kindByName } from '../kind-by-name.ts';
import type { FileKind } from '../kind-by-name.ts';
import { shownPath } from '../shown-path.ts';

/** `text` is any file that a lens judged. */
export type ReportedKind = FileKind | 'text';

/** A file with its problems, in the order of its lines. */
export interface ReportedFile {
  /** How the user named it, or how it is found from where the user is. */
  readonly file: string;
  /** Where it is on disk; missing for what was shipped or fetched. */
  readonly path?: string;
  readonly kind: ReportedKind;
  readonly diagnostics: readonly Diagnostic[];
  /** What a lens says about it; missing for what is checked by its kind. */
  readonly judged?: Judged;
}

interface Finding {
  readonly diagnostic: Diagnostic;
  /** Found in a library resolved by itself, where nobody declares run inputs. */
  readonly isAlone: boolean;
}

const severities: readonly Severity[] = ['error', 'warning', 'info'];

/** The problems of many files, each file once and each problem once, by the names that the user knows them by. */
export class Report {
  readonly #workingDirectory: string;
  readonly #names = new Map<string, string>();
  readonly #files = new Map<
    string,
    { path?: string; kind: ReportedKind; judged?: Judged; isNamed: boolean; findings: Finding[] }
  >();
  readonly #judged = new Set<string>();

  constructor(workingDirectory: string) {
    this.#workingDirectory = workingDirectory;
  }

  /** Lists a file that is checked, under the name the user gave it. */
  name(path: string, shown: string, kind: FileKind): void {
    this.#names.set(path, shown);
    const found = this.#files.get(shown)?.findings ?? [];
    this.#files.set(shown, { path, kind, isNamed: true, findings: found });
  }

  /** Lists a file that was judged instead. */
  addJudged(path: string, shown: string, judged: Judged): void {
    this.#names.set(path, shown);
    this.#files.set(shown, { path, kind: 'text', judged, isNamed: true, findings: [] });
  }

  /** How a file is shown: as named, else from the working directory where it is below it. */
  nameOf(path: string): string {
    return this.#names.get(path) ?? shownPath(this.#workingDirectory, path);
  }

  /** Adds what was found while `checked` was. What is only worth knowing of another file is left to its own check. */
  add(workspace: CommandWorkspace, found: Diagnostic, checked: SourceFile, { isAlone = false } = {}): void {
    if (found.severity === 'info' && found.location.file !== checked.file) return;
    const diagnostic = this.#renamed(workspace, found);
    const { file } = diagnostic.location;
    let entry = this.#files.get(file);
    if (!entry) {
      const path = workspace.pathOf(found.location.file);
      entry = {
        ...(path === undefined ? {} : { path }),
        kind: kindByName(file) ?? 'library',
        isNamed: false,
        findings: [],
      };
      this.#files.set(file, entry);
    }
    entry.findings.push({ diagnostic, isAlone });
  }

  /** Remembers a required key that a lens uses: there it is judged with the inputs that the lens declares. */
  judgedByLens(workspace: CommandWorkspace, at: Location): void {
    this.#judged.add(placeKey({ ...at, file: this.#nameIn(workspace, at.file) }));
  }

  /** Every checked file in the order of checking, then every other file that has problems, by name. */
  get files(): readonly ReportedFile[] {
    const all = [...this.#files].map(([file, { findings, isNamed, ...entry }]) => ({
      isNamed,
      reported: { file, ...entry, diagnostics: this.#diagnosticsOf(findings) },
    }));
    const others = all.filter(({ isNamed, reported }) => !isNamed && reported.diagnostics.length > 0);
    others.sort((a, b) => compareText(a.reported.file, b.reported.file));
    return [...all.filter(({ isNamed }) => isNamed), ...others].map(({ reported }) => reported);
  }

  #diagnosticsOf(findings: readonly Finding[]): Diagnostic[] {
    const unique = new Map<string, Diagnostic>();
    for (const { diagnostic, isAlone } of findings) {
      const { code, location, message } = diagnostic;
      if (isAlone && code === 'graph.unsatisfied-requires' && this.#judged.has(placeKey(location))) continue;
      const key = `${code}\0${placeKey(location)}\0${message}`;
      if (!unique.has(key)) unique.set(key, diagnostic);
    }
    return [...unique.values()].sort(
      (a, b) =>
        a.location.line - b.location.line ||
        a.location.column - b.location.column ||
        severities.indexOf(a.severity) - severities.indexOf(b.severity) ||
        compareText(a.code, b.code),
    );
  }

  #renamed(workspace: CommandWorkspace, found: Diagnostic): Diagnostic {
    const rename = <T extends { file: string }>(place: T): T => ({
      ...place,
      file: this.#nameIn(workspace, place.file),
    });
    return {
      ...found,
      location: rename(found.location),
      ...(found.related && {
        related: found.related.map(({ message, location }) => ({ message, location: rename(location) })),
      }),
      ...(found.fixes && {
        fixes: found.fixes.map(({ title, edits }) => ({ title, edits: edits.map(rename) })),
      }),
    };
  }

  #nameIn(workspace: CommandWorkspace, file: string): string {
    const path = workspace.pathOf(file);
    return path === undefined ? file : this.nameOf(path);
  }
}

/** How many problems of a severity the files have; a file that its lens does not let pass is an error. */
export function countOf(files: readonly ReportedFile[], severity: Severity): number {
  return files.reduce((sum, { diagnostics, judged }) => {
    const found = diagnostics.filter((diagnostic) => diagnostic.severity === severity).length;
    return sum + found + (severity === 'error' && judged?.overall.outcome === 'failed' ? 1 : 0);
  }, 0);
}

function placeKey({ file, line, column }: Location): string {
  return `${file}\0${line}\0${column}`;
}
